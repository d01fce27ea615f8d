import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useSession } from "../session/useSession";
import classes from "./Wizard.module.css";

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirm: string;
  cancel?: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** One question with two answers. A click beside it means nothing: the second of a double click lands there. */
export function ConfirmDialog({ opened, title, children, confirm, cancel = "やめる", danger = false, busy = false, onConfirm, onClose }: ConfirmDialogProps) {
  const { expired } = useSession();
  return (
    <Modal
      // The question who is there comes first, and two dialogs would take the keyboard from each other.
      opened={opened && !expired}
      onClose={busy ? () => {} : onClose}
      title={title}
      centered
      radius="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "閉じる", disabled: busy }}
      classNames={{ title: classes.dialogTitle ?? "" }}
    >
      <div className={classes.dialogBody}>{children}</div>
      <div className={classes.dialogButtons}>
        <Button variant="default" size="md" disabled={busy} onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button size="md" loading={busy} onClick={onConfirm} {...(danger ? { color: "var(--red)" } : {})}>
          {confirm}
        </Button>
      </div>
    </Modal>
  );
}
