import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { answerOf, api } from "../api/client";
import { Notice } from "../frame/Notice";
import classes from "./Dialogs.module.css";
import { Refusal } from "./Refusal";
import { linksChanged, type Member } from "./queries";
import { ReasonField, reasonError } from "./ReasonField";

const USUAL = ["別の方のLINEだったため", "本人が機種を変更したため", "本人からの申し出"] as const;

export function UnlinkDialog({ member, close }: { member: Member | null; close: () => void }) {
  return (
    <Dialog opened={member !== null} close={close} title="LINEとの連携を解除">
      {member && <UnlinkForm member={member} close={close} />}
    </Dialog>
  );
}

function UnlinkForm({ member, close }: { member: Member; close: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const undoing = useMutation({
    mutationFn: () =>
      answerOf(api.POST("/api/admin/links/{member_id}/removal", { params: { path: { member_id: member.id } }, body: { reason: reason.trim() } })),
    onSuccess: () => {
      void linksChanged(client);
      close();
    },
    // It may be undone already; the list says what is true now.
    onError: () => void linksChanged(client),
  });
  const invalid = tried ? reasonError(reason, undoing.error) : null;
  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (reasonError(reason, null) === null && !undoing.isPending) undoing.mutate();
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.who}>
        <strong>{member.name}</strong>さんと、LINEの「{member.line_display_name ?? "名前を取得できていない方"}
        」の連携を解除します。もう一度連携するまで、{member.name}さんに案内は届きません。
      </p>
      <Notice tone="warning" title="シートのセルも空にしてください">
        名簿のシートに、この方のLINEのID（line_user_id）が残っていると、次の同期でまた連携されます。解除したら、シートのそのセルも空にしてください。
      </Notice>
      <ReasonField label="解除する理由" usual={USUAL} value={reason} error={invalid} change={setReason} />
      {undoing.isError && invalid === null && <Refusal title="解除できませんでした" error={undoing.error} />}
      <div className={classes.foot}>
        <Button variant="default" size="md" onClick={close} disabled={undoing.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" color="var(--red)" loading={undoing.isPending}>
          連携を解除する
        </Button>
      </div>
    </form>
  );
}
