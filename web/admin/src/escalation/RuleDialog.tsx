import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { type FieldErrors, serverErrors } from "../booking/forms";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { thenFresh } from "../shops/queries";
import { useFirstError } from "../shops/useFirstError";
import { changeOf, codeOf, draftOf, ruleErrors } from "./draft";
import { type Rule, saveRule } from "./queries";
import { ChannelFields, RuleFields, WhenFields } from "./RuleFields";

interface RuleDialogProps {
  editing: Rule | "new" | null;
  /** The codes that a new rule cannot have. */
  taken: readonly string[];
  close: () => void;
  done: (code: string) => void;
}

export function RuleDialog({ editing, ...form }: RuleDialogProps) {
  // While the dialog fades out it keeps its title.
  const last = useRef(editing);
  if (editing !== null) last.current = editing;
  return (
    <Dialog opened={editing !== null} close={form.close} title={last.current === "new" ? "ルールを追加" : "ルールを変更"} size="lg">
      {editing && <RuleForm before={editing === "new" ? null : editing} {...form} />}
    </Dialog>
  );
}

function RuleForm({ before, taken, close, done }: Omit<RuleDialogProps, "editing"> & { before: Rule | null }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(before, new Date()));
  const [errors, setErrors] = useState<FieldErrors>({});
  const form = useFirstError(errors);
  const saving = useMutation({
    mutationFn: () => thenFresh(client, saveRule(codeOf(draft), changeOf(draft))),
    onSuccess: (saved) => {
      close();
      done(saved.rule_code);
    },
    onError: (error) => setErrors(serverErrors(error)),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = ruleErrors(draft, new Date(), before === null ? taken : undefined);
    setErrors(found);
    if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate();
  }
  const fields = { draft, change: setDraft, errors };
  return (
    <form ref={form} className={dialogs.form} onSubmit={submit} noValidate>
      <RuleFields {...fields} isNew={before === null} />
      <ChannelFields {...fields} />
      <WhenFields {...fields} />
      {saving.isError && <Refusal title="保存できませんでした" error={saving.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={saving.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={saving.isPending}>
          {before === null ? "追加する" : "保存する"}
        </Button>
      </div>
    </form>
  );
}
