import { useInfiniteQuery } from "@tanstack/react-query";
import { auditQuery } from "../api/queries";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { More } from "../frame/More";
import { PageHeading } from "../frame/PageHeading";
import { AuditTable } from "./AuditTable";

export function AuditPage() {
  const query = useInfiniteQuery(auditQuery);
  const entries = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <PageHeading title="操作履歴">だれが、いつ、何をしたかの記録です。新しい順に並んでいます。あとから書き換えることはできません。</PageHeading>
      {query.isPending && <ListSkeleton />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && entries.length === 0 && (
        <Empty title="まだ記録がありません">ログインや設定の変更をすると、ここに残ります。</Empty>
      )}
      {entries.length > 0 && <AuditTable entries={entries} />}
      <More query={query} />
    </>
  );
}
