import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { isStale } from "../../../api/errors";
import { answerOf, api } from "../api/client";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { Dialog } from "./Dialog";
import { isGone, nameError, serverNameError } from "./name-errors";
import { placeOfNew } from "./order";
import { type Audience, audiencesChanged, audiencesQuery } from "./queries";

interface NameDialogProps {
  naming: Audience | "new" | null;
  audiences: readonly Audience[];
  close: () => void;
}

export function NameDialog({ naming, audiences, close }: NameDialogProps) {
  return (
    <Dialog opened={naming !== null} close={close} title={naming === "new" ? "グループを作る" : "グループの名前を変える"}>
      {naming !== null && <NameForm naming={naming} audiences={audiences} close={close} />}
    </Dialog>
  );
}

function NameForm({ naming, audiences, close }: NameDialogProps & { naming: Audience | "new" }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(naming === "new" ? "" : naming.name);
  // What the server has, as far as this form knows.
  const [seen, setSeen] = useState(naming === "new" ? "" : naming.name);
  const [error, setError] = useState<string | null>(null);
  const saving = useMutation({
    mutationFn: async (wanted: string) => {
      if (naming === "new") return (await answerOf(api.POST("/api/admin/audiences", { body: { name: wanted, sort_order: placeOfNew(audiences) } }))).id;
      await answerOf(api.PATCH("/api/admin/audiences/{audience_id}", { params: { path: { audience_id: naming.id } }, body: { name: wanted, seen_name: seen } }));
      return null;
    },
    onSuccess: (made) => {
      void audiencesChanged(client);
      close();
      // A group without anybody is of no use yet, so choosing them is the next step.
      if (made !== null) void navigate({ to: "/audiences/$audienceId", params: { audienceId: String(made) } });
    },
    onError: async (error, wanted) => {
      if (isStale(error)) {
        await audiencesChanged(client);
        const theirs = client.getQueryData(audiencesQuery.queryKey)?.find((one) => naming !== "new" && one.id === naming.id);
        if (!theirs) return;
        setSeen(theirs.name);
        complain(`ほかの人が、先に「${theirs.name}」に変えました。「${wanted}」にするときは、もう一度押してください`);
        return;
      }
      const refused = serverNameError(error, wanted);
      if (refused) complain(refused);
      if (isGone(error)) void audiencesChanged(client);
    },
  });
  function complain(text: string): void {
    setError(text);
    field.current?.focus();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (saving.isPending) return;
    const wrong = nameError(name);
    if (wrong) complain(wrong);
    else if (naming !== "new" && name.trim() === seen) close();
    else saving.mutate(name.trim());
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <TextInput
        ref={field}
        label="グループの名前"
        placeholder="例：理事会"
        size="md"
        autoComplete="off"
        data-autofocus
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setError(null);
        }}
      />
      {saving.isError && error === null && serverNameError(saving.error, name) === null && <Refusal title="保存できませんでした" error={saving.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={saving.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={saving.isPending}>
          {naming === "new" ? "作って、入る人を選ぶ" : "名前を変える"}
        </Button>
      </div>
    </form>
  );
}
