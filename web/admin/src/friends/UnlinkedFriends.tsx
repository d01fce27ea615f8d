import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { More } from "../frame/More";
import { Notice } from "../frame/Notice";
import { unlinkedFriendsQuery, waitingPeopleQuery } from "../members/queries";
import type { Friend } from "./friend";
import { FriendsTable } from "./FriendsTable";
import classes from "./FriendsTable.module.css";
import { LinkDialog, type Wish } from "./LinkDialog";
import { WaitingPeople } from "./WaitingPeople";

export function UnlinkedFriends() {
  const query = useInfiniteQuery(unlinkedFriendsQuery);
  const [wish, setWish] = useState<Wish | null>(null);
  const [linked, setLinked] = useState<string | null>(null);
  const waiting = useQuery(waitingPeopleQuery).data ?? [];
  const shownAbove = new Set(waiting.map(({ user_id }) => user_id));
  const loaded = query.data?.pages.flatMap((page) => page.items) ?? [];
  const friends = loaded.filter(({ user_id }) => !shownAbove.has(user_id));
  const total = (query.data?.pages.at(-1)?.total ?? 0) - (loaded.length - friends.length);
  const choose = (friend: Friend, memberId: number | null) => {
    setLinked(null);
    setWish({ friend, memberId });
  };
  return (
    <>
      <div role="status">
        {linked !== null && (
          <Notice tone="success" className={classes.notice}>
            {linked}
          </Notice>
        )}
      </div>
      {waiting.length > 0 && <WaitingPeople people={waiting} choose={choose} done={setLinked} />}
      {query.isPending && <ListSkeleton />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && friends.length === 0 && waiting.length === 0 && (
        <Empty title="未連携の友だちはいません">
          友だちに追加した方は、全員が会員と連携しています。新しく追加した方の名前が名簿と一致しないときは、ここに表示されます。
        </Empty>
      )}
      {friends.length > 0 && (
        <>
          <p className={classes.explain}>
            「似た名前」は、名前が似ているだけの手がかりです。電話などで本人に確かめてから連携してください。
            <span className="figures">全{total.toLocaleString("ja-JP")}人</span>
          </p>
          <FriendsTable friends={friends} choose={choose} />
        </>
      )}
      <More query={query} />
      <LinkDialog wish={wish} close={() => setWish(null)} done={setLinked} />
    </>
  );
}
