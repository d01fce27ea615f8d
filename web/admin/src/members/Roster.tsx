import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { LastSync } from "./LastSync";
import { MembersTable } from "./MembersTable";
import { NobodyFound } from "./NobodyFound";
import { type Member, membersQuery } from "./queries";
import { RosterFilters } from "./RosterFilters";
import { countsOf, found, type Shown } from "./state";
import { UnlinkDialog } from "./UnlinkDialog";

export function Roster({ show }: { show: Shown }) {
  const query = useQuery(membersQuery);
  const navigate = useNavigate();
  const [searchText, setSearchText] = useState("");
  const [unlinking, setUnlinking] = useState<Member | null>(null);
  // The letters stand there at once; a roster of a thousand follows when the browser has a moment.
  const wanted = useDeferredValue(searchText);
  const members = query.data;
  const rows = useMemo(() => found(members ?? [], show, wanted), [members, show, wanted]);
  const counts = useMemo(() => countsOf(members ?? []), [members]);
  const choose = (chosen: Shown) =>
    void navigate({ to: "/members", search: chosen === "present" ? {} : { show: chosen }, replace: true, resetScroll: false });
  return (
    <>
      <LastSync />
      {query.isPending && <ListSkeleton />}
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {members?.length === 0 && (
        <Empty title="名簿はまだ空です">
          名簿のシートを用意して、システムの担当者に上のコマンドの実行を依頼してください。同期が終わると、ここに会員が並びます。
        </Empty>
      )}
      {members && members.length > 0 && (
        <>
          <RosterFilters searchText={searchText} setSearchText={setSearchText} show={show} choose={choose} counts={counts} shown={rows.length} />
          {rows.length > 0 ? (
            <MembersTable members={rows} unlink={setUnlinking} />
          ) : (
            <NobodyFound members={members} show={show} searchText={wanted} choose={choose} clear={() => setSearchText("")} />
          )}
        </>
      )}
      <UnlinkDialog member={unlinking} close={() => setUnlinking(null)} />
    </>
  );
}
