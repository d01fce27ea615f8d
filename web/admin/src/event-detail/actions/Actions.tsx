import { Button, Modal, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { type Broadcast, type EventDetail, type SendResult } from "../event";
import shared from "../EventDetail.module.css";
import { deliveriesQuery } from "../queries";
import { nextStep } from "../sending/texts";
import type { ActionName } from "./ActionDialog";
import { ExportMenu } from "./ExportMenu";

const loadDialog = () => import("./ActionDialog");
const ActionDialog = lazy(async () => ({ default: (await loadDialog()).ActionDialog }));

const TITLES: Record<ActionName, string> = {
  remind: "未回答の人に督促",
  add: "対象者を追加",
  edit: "イベントを編集",
  cancel: "イベントを中止",
};

interface ActionsProps {
  event: EventDetail;
  pending: number;
  asOf: string | null;
  resend: (broadcast: Broadcast) => void;
  done: (what: string, result: SendResult) => void;
  failed: (error: unknown) => void;
}

/** The buttons for everything that can still be done with the event. */
export function Actions({ event, pending, asOf, resend, done, failed }: ActionsProps) {
  const [dialog, setDialog] = useState<ActionName | null>(null);
  // The dialog is loaded after the page, so that it is there when somebody presses a button.
  useEffect(() => void loadDialog().catch(() => {}), []);
  const cancelled = event.cancelled_at !== null;
  // Answers are taken later too, but the server sends no reminder and no invitation once the event has started.
  const started = Date.parse(event.held_at) < Date.now();
  const next = nextStep(useQuery(deliveriesQuery(event.id)).data?.items, Date.now());
  const close = () => setDialog(null);
  const props = {
    event,
    close,
    done: (what: string, result: SendResult) => {
      close();
      done(what, result);
    },
  };
  return (
    <div className={shared.actions}>
      {next.resend !== null && (
        <Button onClick={() => next.resend && resend(next.resend)}>送れなかった人に送る</Button>
      )}
      {!cancelled && !started && (
        <>
          <Button variant={next.remind ? "filled" : "default"} disabled={pending === 0} onClick={() => setDialog("remind")}>
            未回答の人に督促
          </Button>
          <Button variant="default" onClick={() => setDialog("add")}>
            対象者を追加
          </Button>
        </>
      )}
      {!cancelled && (
        <Button variant="default" onClick={() => setDialog("edit")}>
          編集
        </Button>
      )}
      <ExportMenu eventId={event.id} asOf={asOf} failed={failed} />
      {!cancelled && (
        <Button variant="subtle" color="var(--red)" onClick={() => setDialog("cancel")}>
          中止
        </Button>
      )}
      <Modal
        opened={dialog !== null}
        onClose={close}
        closeOnClickOutside={false}
        title={<strong>{dialog && TITLES[dialog]}</strong>}
        size="lg"
        // The content disappears at once, so an exit animation would show an empty box.
        transitionProps={{ exitDuration: 0 }}
        closeButtonProps={{ "aria-label": "閉じる" }}
      >
        {dialog && (
          <Suspense fallback={<Skeleton height={160} role="status" aria-label="読み込んでいます" />}>
            <ActionDialog {...props} action={dialog} pending={pending} />
          </Suspense>
        )}
      </Modal>
    </div>
  );
}
