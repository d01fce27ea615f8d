import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { type EventDetail, inPeople, type Told } from "../event";
import shared from "../EventDetail.module.css";
import { CancelDialog } from "./CancelDialog";
import { EditDialog } from "./EditDialog";
import { ExportMenu } from "./ExportMenu";
import { ReminderDialog } from "./ReminderDialog";
import { TargetsDialog } from "./TargetsDialog";

const TITLES = {
  remind: "未回答の人に督促",
  add: "対象者を追加",
  edit: "イベントを編集",
  cancel: "イベントを中止",
};
type Dialog = keyof typeof TITLES;

interface ActionsProps {
  event: EventDetail;
  pending: number;
  asOf: string | null;
  done: (what: string, told: Told) => void;
  failed: (error: unknown) => void;
}

/** What can be done with an event. What cannot any more is not offered. */
export function Actions({ event, pending, asOf, done, failed }: ActionsProps) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const cancelled = event.cancelled_at !== null;
  const over = Date.parse(event.held_at) < Date.now();
  const close = () => setDialog(null);
  const props = {
    event,
    close,
    done: (what: string, told: Told) => {
      close();
      done(what, told);
    },
  };
  return (
    <div className={shared.actions}>
      {!cancelled && !over && (
        <>
          <Button disabled={pending === 0} onClick={() => setDialog("remind")}>
            未回答の人に督促{pending > 0 && `（${inPeople(pending)}）`}
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
        // Its content goes with it at once; an empty box must not linger.
        transitionProps={{ exitDuration: 0 }}
        closeButtonProps={{ "aria-label": "閉じる" }}
      >
        {dialog === "remind" && <ReminderDialog {...props} pending={pending} />}
        {dialog === "add" && <TargetsDialog {...props} />}
        {dialog === "edit" && <EditDialog {...props} />}
        {dialog === "cancel" && <CancelDialog {...props} />}
      </Modal>
    </div>
  );
}
