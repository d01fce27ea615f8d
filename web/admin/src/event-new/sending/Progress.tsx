import { Button, Progress as Bar } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Failure } from "../../frame/Failure";
import { PageHeading } from "../../frame/PageHeading";
import { progressQuery } from "../queries";
import { progressOf, progressText } from "./progress";
import classes from "./Sending.module.css";

/** Long enough to read that it is done. */
const READ_MS = 1500;
/** Sending usually takes a moment; after this the person is told that nobody has to wait here. */
const SLOW_MS = 8000;

export function Progress({ eventId }: { eventId: number }) {
  const event = useQuery(progressQuery(eventId));
  const navigate = useNavigate();
  const [slow, setSlow] = useState(false);
  const progress = event.data && progressOf(event.data);
  const done = progress?.done === true;
  const page = { to: "/events/$eventId", params: { eventId: String(eventId) } } as const;

  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => void navigate({ ...page, replace: true }), READ_MS);
    return () => clearTimeout(timer);
  }, [done, eventId]);

  return (
    <>
      <PageHeading title={done ? "送信が終わりました" : "LINEで送信しています"}>{event.data ? `「${event.data.title}」` : " "}</PageHeading>
      {event.isError && !event.data && <Failure error={event.error} retry={() => void event.refetch()} />}
      <section className={classes.panel} aria-label="送信の進み具合">
        <Bar value={progress?.percent ?? 0} color={progress?.hasProblems ? "var(--amber)" : "matsu"} size="lg" aria-label="送信の進み具合" />
        <p className={classes.words} role="status">
          {progress ? progressText(progress) : "送信の様子を確かめています。"}
        </p>
        <p className={classes.note}>
          {done && "まもなく、イベントのページに移ります。"}
          {!done && slow && "LINEからの返事を待っています。この画面を閉じても、送信は続きます。"}
        </p>
        <Button variant="default" size="md" renderRoot={(props) => <Link {...page} {...props} />}>
          イベントのページへ
        </Button>
      </section>
    </>
  );
}
