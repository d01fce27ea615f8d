import { Button, Modal, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Failure } from "../../frame/Failure";
import type { Broadcast, EventDetail, Push, SendResult } from "../event";
import shared from "../EventDetail.module.css";
import { deliveriesQuery } from "../queries";
import { BroadcastLine } from "./BroadcastLine";
import classes from "./Sending.module.css";
import { summaryOf, toneOf } from "./texts";

const AT_FIRST = 3;
// Loaded when it is opened, together with what the other dialogs of the page need.
const ResendDialog = lazy(async () => ({ default: (await import("./ResendDialog")).ResendDialog }));

interface SendingCardProps {
  event: EventDetail;
  push: Push;
  /** The broadcast that is about to be sent once more; the buttons above the page choose one too. */
  resending: Broadcast | null;
  resend: (broadcast: Broadcast | null) => void;
  done: (what: string, result: SendResult) => void;
}

/** The outcome of all broadcasts in one line, and below it each broadcast, the newest first. */
export function SendingCard({ event, push, resending, resend, done }: SendingCardProps) {
  const { data, error, refetch } = useQuery(deliveriesQuery(event.id));
  const close = () => resend(null);
  const [all, setAll] = useState(false);
  // The server also lists broadcasts without recipients, such as a change that was not announced.
  const broadcasts = data?.items.filter((broadcast) => broadcast.recipients > 0) ?? [];
  const hidden = all ? 0 : Math.max(0, broadcasts.length - AT_FIRST);
  return (
    <section className={`${shared.card} ${classes.card}`} aria-labelledby="event-sending">
      <div className={shared.cardHead}>
        <h2 id="event-sending">送信の結果</h2>
        <p className={classes.summary} data-tone={push ? toneOf(push) : undefined}>
          {push ? summaryOf(push) : "まだ送っていません"}
        </p>
      </div>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={44} mt="sm" />}
      {broadcasts.length > 0 && (
        <ul className={classes.broadcasts}>
          {broadcasts.slice(0, broadcasts.length - hidden).map((broadcast) => (
            <BroadcastLine key={broadcast.broadcast_id} broadcast={broadcast} resend={() => resend(broadcast)} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setAll(true)}>
          以前の送信を見る（{hidden}件）
        </Button>
      )}
      <Modal
        opened={resending !== null}
        onClose={close}
        closeOnClickOutside={false}
        title={<strong>送れなかった人に送る</strong>}
        size="lg"
        transitionProps={{ exitDuration: 0 }}
        closeButtonProps={{ "aria-label": "閉じる" }}
      >
        {resending && (
          <Suspense fallback={<Skeleton height={220} role="status" aria-label="読み込んでいます" />}>
            <ResendDialog
              event={event}
              broadcast={resending}
              close={close}
              done={(what, result) => {
                close();
                done(what, result);
              }}
            />
          </Suspense>
        )}
      </Modal>
    </section>
  );
}
