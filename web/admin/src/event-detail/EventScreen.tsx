import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { formatDateTime } from "../../../api/times";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { AboutCard } from "./about/AboutCard";
import { EventHeading } from "./about/EventHeading";
import { Actions } from "./actions/Actions";
import { AnswersCard } from "./answers/AnswersCard";
import { AsOfNotice } from "./answers/AsOfNotice";
import { AsOfPicker } from "./answers/AsOfPicker";
import { type Broadcast, countsOf, type EventDetail, type SendResult } from "./event";
import classes from "./EventDetail.module.css";
import { withAnswers } from "./live/update";
import { useLiveEvent } from "./live/useLiveEvent";
import { PeoplePanel } from "./people/PeoplePanel";
import people from "./people/People.module.css";
import { eventQuery, refreshEvent } from "./queries";
import { type ActionOutcome, OutcomeNotice } from "./OutcomeNotice";
import { SendingCard } from "./sending/SendingCard";
import { asOfInstant } from "./times";

const NOBODY: ReadonlySet<number> = new Set();

interface EventScreenProps {
  event: EventDetail;
  /** A past moment, `2025-09-01T12:00`; null: now. */
  picked: string | null;
  pick: (moment: string | null) => void;
}

export function EventScreen({ event, picked, pick }: EventScreenProps) {
  const [outcome, setOutcome] = useState<ActionOutcome | null>(null);
  const [resending, setResending] = useState<Broadcast | null>(null);
  const asOf = useMemo(() => (picked === null ? null : asOfInstant(picked, new Date())), [picked]);
  const past = asOf === null ? null : formatDateTime(asOf);
  const before = useQuery({ ...eventQuery(event.id, asOf), enabled: asOf !== null, staleTime: Number.POSITIVE_INFINITY });
  const live = useLiveEvent(event.id, asOf === null);
  const now = useMemo(() => withAnswers(event.current_status, live.answers), [event.current_status, live.answers]);
  const shown = asOf === null ? now : before.data?.current_status;
  const counts = useMemo(() => countsOf(shown ?? []), [shown]);
  const done = (what: string, result: SendResult) => {
    setOutcome({ what, result });
    refreshEvent(event.id);
  };
  return (
    <>
      <EventHeading event={event}>
        <Actions
          event={event}
          pending={asOf === null ? counts.pending : countsOf(now).pending}
          asOf={asOf}
          resend={setResending}
          done={done}
          failed={(error) => setOutcome({ error })}
        />
      </EventHeading>
      <OutcomeNotice outcome={outcome} dismiss={() => setOutcome(null)} />
      {past !== null && <AsOfNotice past={past} back={() => pick(null)} />}
      <div className={classes.page}>
        <AnswersCard counts={counts} phase={live.phase} past={past} />
        <SendingCard event={event} push={live.push === undefined ? event.push : live.push} resending={resending} resend={setResending} done={done} />
        <AboutCard event={event} />
        {shown ? (
          <PeoplePanel event={event} people={shown} counts={counts} highlighted={asOf === null ? live.highlighted : NOBODY} past={past}>
            <AsOfPicker picked={picked} pick={pick} />
          </PeoplePanel>
        ) : (
          <div className={people.people}>
            {before.error ? <Failure error={before.error} retry={() => void before.refetch()} /> : <ListSkeleton />}
          </div>
        )}
      </div>
    </>
  );
}
