import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { PasswordField } from "../session/PasswordField";
import { accountsChanged } from "./queries";
import { fieldError } from "./words";

interface ProofDialogProps<T> {
  opened: boolean;
  close: () => void;
  title: string;
  action: string;
  danger?: boolean;
  run: (password: string) => Promise<T>;
  done: (result: T) => void;
  children: ReactNode;
}

/** Asks for the password again, because somebody else may sit in front of the screen. */
export function ProofDialog<T>({ opened, close, title, ...form }: ProofDialogProps<T>) {
  return (
    <Dialog opened={opened} close={close} title={title}>
      {opened && <ProofForm close={close} {...form} />}
    </Dialog>
  );
}

function ProofForm<T>({ close, action, danger = false, run, done, children }: Omit<ProofDialogProps<T>, "opened" | "title">) {
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const running = useMutation({
    mutationFn: () => run(password),
    onSuccess: (result) => {
      close();
      done(result);
    },
    onError: () => field.current?.select(),
    onSettled: () => accountsChanged(client),
    // What the server said may be a secret, and is kept by the caller for as long as it is shown.
    gcTime: 0,
  });
  const wrong = fieldError(running.error, "current_password");
  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!password) return field.current?.focus();
    if (!running.isPending) running.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      {children}
      <PasswordField
        ref={field}
        label="現在のパスワード"
        name="current-password"
        autoFocus
        value={password}
        onChange={setPassword}
        error={wrong ?? (tried && !password && "パスワードを入力してください")}
      />
      {running.isError && wrong === null && <Refusal title="できませんでした" error={running.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={running.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={running.isPending} {...(danger ? { color: "var(--red)" } : {})}>
          {action}
        </Button>
      </div>
    </form>
  );
}
