import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import dialogs from "../members/Dialogs.module.css";
import { ReasonField, reasonError } from "../members/ReasonField";
import { Refusal } from "../members/Refusal";
import { bookingChanged } from "./queries";

interface ReasonDialogProps {
  opened: boolean;
  close: () => void;
  title: string;
  /** What will happen, before it happens. */
  children: ReactNode;
  usual: readonly string[];
  /** What is asked for, where it is no reason. */
  label?: string;
  /** The words on the button that does it. */
  action: string;
  danger?: boolean;
  /** False while something else has to be chosen first. */
  ready?: boolean;
  run: (reason: string) => Promise<unknown>;
  done?: () => void;
}

/** A change that needs a reason: what it does, why, and a button that says what it does. */
export function ReasonDialog({ opened, close, title, ...form }: ReasonDialogProps) {
  return (
    <Dialog opened={opened} close={close} title={title}>
      {opened && <ReasonForm close={close} {...form} />}
    </Dialog>
  );
}

function ReasonForm({ close, children, usual, label = "理由", action, danger = false, ready = true, run, done }: Omit<ReasonDialogProps, "opened" | "title">) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const running = useMutation({
    mutationFn: () => run(reason.trim()),
    onSuccess: () => {
      close();
      done?.();
    },
    // Also after a refusal: the screen may show what is no longer so.
    onSettled: () => bookingChanged(client),
  });
  const invalid = tried ? reasonError(reason, running.error, label) : null;
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (reasonError(reason, null, label) === null && !running.isPending) running.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      {children}
      <ReasonField label={label} usual={usual} value={reason} error={invalid} change={setReason} />
      {running.isError && invalid === null && <Refusal title="できませんでした" error={running.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={running.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" disabled={!ready} loading={running.isPending} {...(danger ? { color: "var(--red)" } : {})}>
          {action}
        </Button>
      </div>
    </form>
  );
}
