import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError } from "../../../api/errors";
import { Failure } from "../frame/Failure";
import { PageHeading } from "../frame/PageHeading";
import { boardQuery } from "../threads/queries";
import { BackToThreads } from "./BackToThreads";
import { BoardScreen } from "./BoardScreen";
import { MissingThread } from "./MissingThread";

const route = getRouteApi("/inside/threads/$threadId");

export function BoardPage() {
  const { threadId } = route.useParams();
  const { as_of, made, told } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(boardQuery(threadId, null));
  if (data) {
    return (
      <BoardScreen
        key={threadId}
        board={data}
        picked={as_of ?? null}
        pick={(moment) => void navigate({ search: moment === null ? {} : { as_of: moment }, resetScroll: false })}
        made={made === undefined ? null : { how: made, told: told ?? null }}
      />
    );
  }
  if (error instanceof ApiError && error.status === 404) return <MissingThread />;
  if (!error) return <BoardSkeleton />;
  return (
    <>
      <BackToThreads />
      <PageHeading title="日程調整" />
      <Failure error={error} retry={() => void refetch()} />
    </>
  );
}

/** The placeholder has the size of the content, so that nothing moves when it is loaded. */
function BoardSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="読み込んでいます">
      <Skeleton height={20} width="8rem" mb="md" />
      <Skeleton height={34} width="min(24rem, 80%)" mb="md" />
      <Skeleton height={36} width="min(34rem, 100%)" mb="xl" />
      <Skeleton height={110} radius="lg" mb="md" />
      <Skeleton height={220} radius="lg" mb="md" />
      <Skeleton height={320} radius="lg" />
    </div>
  );
}
