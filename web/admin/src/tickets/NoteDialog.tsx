import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { ApiError } from "../../../api/errors";
import { Dialog } from "../audiences/Dialog";
import { serverErrors } from "../booking/forms";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { thenFresh } from "../shops/queries";
import { acknowledge, closeTicket } from "./queries";

export type Action = "acknowledge" | "close";

const WORDS: Record<Action, { title: string; text: string; run: typeof acknowledge }> = {
  acknowledge: { title: "対応中にする", text: "あなたが対応していることが、ほかの人にも分かるようになります。", run: acknowledge },
  close: { title: "完了にする", text: "完了にすると、元に戻せません。同じ問題がもう一度起きると、新しいチケットができます。", run: closeTicket },
};
const LONGEST = 200;

interface NoteDialogProps {
  ticketId: number;
  action: Action | null;
  close: () => void;
  done: (action: Action) => void;
}

/** Asks for a note that may be left empty. */
export function NoteDialog({ action, close, ...form }: NoteDialogProps) {
  // While the dialog fades out it still shows what it was about.
  const last = useRef<Action>("acknowledge");
  if (action !== null) last.current = action;
  return (
    <Dialog opened={action !== null} close={close} title={WORDS[last.current].title}>
      {action !== null && <NoteForm action={action} close={close} {...form} />}
    </Dialog>
  );
}

function NoteForm({ ticketId, action, close, done }: NoteDialogProps & { action: Action }) {
  const client = useQueryClient();
  const [note, setNote] = useState("");
  // A second press of the same button may come before the first is drawn.
  const asked = useRef(false);
  const running = useMutation({
    mutationFn: () => thenFresh(client, WORDS[action].run(ticketId, note.trim() || null)),
    onSuccess: () => {
      close();
      done(action);
    },
    onError: () => {
      asked.current = false;
    },
  });
  const tooLong = [...note.trim()].length > LONGEST;
  const invalid = tooLong ? `${LONGEST}文字までです。短くしてください` : serverErrors(running.error)["note"];
  const isOver = running.error instanceof ApiError && running.error.status === 409;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (tooLong || asked.current) return;
    asked.current = true;
    running.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <p>{WORDS[action].text}</p>
      <TextInput
        label="メモ（空でもかまいません）"
        description="分かったことや、したことを書けます。操作履歴に残ります。"
        size="md"
        autoComplete="off"
        data-autofocus
        value={note}
        error={invalid}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {running.isError && invalid === undefined && <Refusal title="できませんでした" error={running.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={running.isPending}>
          {isOver ? "閉じる" : "やめる"}
        </Button>
        {!isOver && (
          <Button type="submit" size="md" loading={running.isPending}>
            {WORDS[action].title}
          </Button>
        )}
      </div>
    </form>
  );
}
