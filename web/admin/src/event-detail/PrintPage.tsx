import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../../api/errors";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PaperPage, PaperTools } from "../paper/PaperPage";
import { type EventDetail, peopleCount } from "./event";
import { eventIdOf } from "./eventId";
import { MissingEvent } from "./MissingEvent";
import { PrintSheet } from "./PrintSheet";
import { eventQuery } from "./queries";

const route = getRouteApi("/inside/events/$eventId/print");

export function PrintPage() {
  const id = eventIdOf(route.useParams().eventId);
  return id === null ? <MissingEvent /> : <Loaded id={id} />;
}

function Loaded({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(eventQuery(id, null));
  if (error instanceof ApiError && error.status === 404) return <MissingEvent />;
  return (
    <PaperPage
      title="受付名簿の印刷"
      lead="A4の紙に、受付で使うチェック欄の付いた名簿を印刷します。下に見えるものが、そのまま印刷されます。"
      back={
        <Link to="/events/$eventId" params={{ eventId: String(id) }}>
          ← イベントに戻る
        </Link>
      }
    >
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data && <Printable event={data} />}
    </PaperPage>
  );
}

/** People who have not answered may come to the reception desk too; those who declined are seldom needed there. */
function Printable({ event }: { event: EventDetail }) {
  const [who, setWho] = useState("all");
  const people = event.current_status.filter(
    ({ status }) => who === "all" || status === "attend" || (who === "maybe" && status === "pending"),
  );
  return (
    <>
      <PaperTools button={`${peopleCount(people.length)}の名簿を印刷する`} disabled={people.length === 0}>
        <SegmentedControl
          aria-label="印刷する方"
          value={who}
          onChange={setWho}
          data={[
            { value: "all", label: "全員" },
            { value: "maybe", label: "出席と未回答" },
            { value: "attend", label: "出席だけ" },
          ]}
        />
      </PaperTools>
      <PrintSheet event={event} people={people} />
    </>
  );
}
