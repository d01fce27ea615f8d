import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { More } from "../frame/More";
import { PageHeading } from "../frame/PageHeading";
import { AuditFilters } from "./AuditFilters";
import { AuditTable } from "./AuditTable";
import classes from "./AuditTable.module.css";
import { auditQuery } from "./queries";
import { type AuditSearch, isNarrowed } from "./search";
import { useNames } from "./useNames";

const route = getRouteApi("/inside/audit");

export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const find = (wanted: AuditSearch) => void navigate({ search: wanted, resetScroll: false });
  const query = useInfiniteQuery(auditQuery(search));
  const names = useNames();
  const entries = query.data?.pages.flatMap((page) => page.items) ?? [];
  const settled = query.isSuccess && !query.isPlaceholderData;
  return (
    <>
      <PageHeading title="操作履歴">だれが、いつ、何をしたかの記録です。新しい順に並んでいます。あとから書き換えることはできません。</PageHeading>
      <AuditFilters search={search} find={find} entries={entries} names={names} />
      {query.isPending && <ListSkeleton />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {settled && entries.length === 0 && !isNarrowed(search) && (
        <Empty title="まだ記録がありません">ログインや設定の変更をすると、ここに残ります。</Empty>
      )}
      {settled && entries.length === 0 && isNarrowed(search) && (
        <div className={lists.empty}>
          <h2>条件に合う記録はありません</h2>
          <Button variant="default" size="md" mt="md" onClick={() => find({})}>
            条件を消す
          </Button>
        </div>
      )}
      {entries.length > 0 && (
        <div className={classes.results} data-fading={query.isPlaceholderData || undefined} aria-busy={query.isFetching}>
          <AuditTable entries={entries} names={names} search={search} find={find} />
        </div>
      )}
      <More query={query} />
    </>
  );
}
