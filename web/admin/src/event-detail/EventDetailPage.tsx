import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError } from "../../../api/errors";
import { Failure } from "../frame/Failure";
import { PageHeading } from "../frame/PageHeading";
import { BackToEvents } from "./BackToEvents";
import { EventScreen } from "./EventScreen";
import { EventSkeleton } from "./EventSkeleton";
import { eventIdOf } from "./eventId";
import { MissingEvent } from "./MissingEvent";
import { eventQuery } from "./queries";

const route = getRouteApi("/inside/events/$eventId");

export function EventDetailPage() {
  const { eventId } = route.useParams();
  const { as_of } = route.useSearch();
  const navigate = route.useNavigate();
  const id = eventIdOf(eventId);
  if (id === null) return <MissingEvent />;
  return (
    <LoadedEvent
      key={id}
      id={id}
      picked={as_of ?? null}
      pick={(moment) => void navigate({ search: moment === null ? {} : { as_of: moment }, resetScroll: false })}
    />
  );
}

interface LoadedEventProps {
  id: number;
  picked: string | null;
  pick: (moment: string | null) => void;
}

function LoadedEvent({ id, picked, pick }: LoadedEventProps) {
  const { data, error, refetch } = useQuery(eventQuery(id, null));
  if (data) return <EventScreen event={data} picked={picked} pick={pick} />;
  if (error instanceof ApiError && error.status === 404) return <MissingEvent />;
  if (!error) return <EventSkeleton />;
  return (
    <>
      <BackToEvents />
      <PageHeading title="イベント" />
      <Failure error={error} retry={() => void refetch()} />
    </>
  );
}
