import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { membersQuery } from "../members/queries";
import { isGone } from "./name-errors";
import { Gone } from "./Gone";
import { MembershipEditor } from "./MembershipEditor";
import classes from "./Membership.module.css";
import { audiencesQuery, membershipQuery } from "./queries";

const route = getRouteApi("/inside/audiences/$audienceId");

/** The heading comes with the group's name, so that it is read out once and the page does not move under it. */
export function MembershipPage() {
  const { audienceId } = route.useParams();
  const id = /^[1-9]\d{0,14}$/.test(audienceId) ? Number(audienceId) : 0;
  // The list may be older than the group that somebody else has just made.
  const list = useQuery({ ...audiencesQuery, refetchOnMount: "always" });
  const members = useQuery(membersQuery);
  const membership = useQuery({ ...membershipQuery(id), enabled: id > 0 });
  const audience = list.data?.find((one) => one.id === id);
  const [deleted, setDeleted] = useState(false);
  const gone = id === 0 || deleted || isGone(membership.error) || (list.isSuccess && !list.isFetching && audience === undefined);
  const failed = [list, members, membership].find((query) => query.isError);
  return (
    <>
      <Link data-screen-only to="/audiences" className={classes.back}>
        ← グループの一覧
      </Link>
      {gone && <Gone />}
      {!gone && failed && (
        <>
          <PageHeading title="グループに入る人" />
          <Failure error={failed.error} retry={() => void Promise.all([list.refetch(), members.refetch(), membership.refetch()])} />
        </>
      )}
      {!gone && !failed && (!audience || !members.data || !membership.data) && <ListSkeleton />}
      {!gone && !failed && audience && members.data && membership.data && (
        <>
          <PageHeading title={`「${audience.name}」に入る人`}>チェックを付けた方が、このグループに入ります。名簿の順に並んでいます。</PageHeading>
          {members.data.length === 0 ? (
            <Empty title="名簿がまだ空です">先に名簿を同期してください。「会員名簿」の画面に、やり方があります。</Empty>
          ) : (
            <MembershipEditor key={id} audience={audience} members={members.data} initial={membership.data} gone={() => setDeleted(true)} />
          )}
        </>
      )}
    </>
  );
}
