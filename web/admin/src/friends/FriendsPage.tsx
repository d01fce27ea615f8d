import { useInfiniteQuery } from "@tanstack/react-query";
import { friendsQuery } from "../api/queries";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { More } from "../frame/More";
import { PageHeading } from "../frame/PageHeading";
import { FriendsTable } from "./FriendsTable";

export function FriendsPage() {
  const query = useInfiniteQuery(friendsQuery);
  const friends = query.data?.pages.flatMap((page) => page.items) ?? [];
  const total = query.data?.pages.at(-1)?.total ?? 0;
  return (
    <>
      <PageHeading title="LINEの友だち" aside={total > 0 && <Shown shown={friends.length} total={total} />}>
        公式アカウントを友だちに追加した方の一覧です。追加やブロックは、自動で反映されます。
      </PageHeading>
      {query.isPending && <ListSkeleton />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && friends.length === 0 && (
        <Empty title="まだ友だちがいません">
          公式アカウントのQRコードやリンクを会員の方にお知らせください。友だちに追加されると、数秒でここに表示されます。
        </Empty>
      )}
      {friends.length > 0 && <FriendsTable friends={friends} />}
      <More query={query} />
    </>
  );
}

function Shown({ shown, total }: { shown: number; total: number }) {
  const all = total.toLocaleString("ja-JP");
  return <span className="figures">{shown < total ? `全${all}人のうち${shown.toLocaleString("ja-JP")}人を表示` : `全${all}人`}</span>;
}
