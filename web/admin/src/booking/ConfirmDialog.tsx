import { Button } from "@mantine/core";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Dialog } from "../audiences/Dialog";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { bookingChanged } from "./queries";

interface ConfirmDialogProps {
  opened: boolean;
  close: () => void;
  title: string;
  children: ReactNode;
  action: string;
  danger?: boolean;
  run: () => Promise<unknown>;
  done?: () => void;
  /** Which lists are asked for again afterwards. */
  changed?: (client: QueryClient) => unknown;
}

/** A change that the API takes without a reason, but that nobody should make by a slip of the finger. */
export function ConfirmDialog({ opened, close, title, ...question }: ConfirmDialogProps) {
  return (
    <Dialog opened={opened} close={close} title={title}>
      {opened && <Question close={close} {...question} />}
    </Dialog>
  );
}

function Question({ close, children, action, danger = false, run, done, changed = bookingChanged }: Omit<ConfirmDialogProps, "opened" | "title">) {
  const client = useQueryClient();
  const running = useMutation({
    mutationFn: run,
    onSuccess: () => {
      close();
      done?.();
    },
    onSettled: () => changed(client),
  });
  return (
    <div className={dialogs.form}>
      {children}
      {running.isError && <Refusal title="できませんでした" error={running.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={running.isPending} data-autofocus>
          やめる
        </Button>
        <Button size="md" loading={running.isPending} onClick={() => running.mutate()} {...(danger ? { color: "var(--red)" } : {})}>
          {action}
        </Button>
      </div>
    </div>
  );
}
