import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../../api/errors";
import { Dialog } from "../audiences/Dialog";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { useFirstError } from "../shops/useFirstError";
import { tokenProblem } from "./secrets";

interface SecretDialogProps {
  opened: boolean;
  close: () => void;
  title: string;
  /** Whether there is a value that the new one takes the place of. */
  replaced: boolean;
  save: (value: string) => Promise<unknown>;
  done: () => void;
}

export function SecretDialog({ opened, close, title, ...form }: SecretDialogProps) {
  return (
    <Dialog opened={opened} close={close} title={title}>
      {opened && <SecretForm close={close} {...form} />}
    </Dialog>
  );
}

function SecretForm({ close, replaced, save, done }: Omit<SecretDialogProps, "opened" | "title">) {
  const [value, setValue] = useState("");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useFirstError(errors);
  const saving = useMutation({
    mutationFn: () => save(value),
    onSuccess: () => {
      close();
      done();
    },
    onError: (error) => {
      const named = error instanceof ApiError && error.details.some(({ field }) => field === "value");
      setErrors(named ? { value: tokenProblem("　") ?? "" } : {});
    },
    // A secret does not stay in the memory of the page for longer than it must.
    gcTime: 0,
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const problem = tokenProblem(value);
    setErrors(problem === null ? {} : { value: problem });
    if (problem === null && !saving.isPending) saving.mutate();
  }
  return (
    <form ref={form} className={dialogs.form} onSubmit={submit} noValidate>
      <p>
        STORES予約の管理画面で発行したAPIのトークンを貼り付けてください。暗号化して保存します。
        {replaced && "保存すると、すぐに新しいトークンに切り替わります。"}
      </p>
      <TextInput
        label="トークン"
        description="保存したあとは、末尾の4文字だけを表示します。"
        size="md"
        type="password"
        name="shop-token"
        autoComplete="new-password"
        spellCheck={false}
        data-autofocus
        value={value}
        error={errors["value"]}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      {saving.isError && !errors["value"] && <Refusal title="保存できませんでした" error={saving.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={saving.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={saving.isPending}>
          保存する
        </Button>
      </div>
    </form>
  );
}
