import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, api } from "../api/client";
import { Dialog } from "../audiences/Dialog";
import { Moment } from "../frame/Moment";
import classes from "../members/Dialogs.module.css";
import { linksChanged, membersQuery } from "../members/queries";
import { ReasonField, reasonError } from "../members/ReasonField";
import { Refusal } from "../members/Refusal";
import { type Friend, NAMELESS } from "./friend";
import { MemberChoice } from "./MemberChoice";
import { Portrait } from "./Portrait";

export interface Wish {
  friend: Friend;
  /** Whom a suggestion named; null: the office looks for the member. */
  memberId: number | null;
}

interface LinkDialogProps {
  wish: Wish | null;
  close: () => void;
  done: (message: string) => void;
}

const USUAL = ["電話で本人に確認", "対面で本人に確認", "メールで本人に確認"] as const;

export function LinkDialog({ wish, close, done }: LinkDialogProps) {
  return (
    <Dialog opened={wish !== null} close={close} title="友だちと会員を連携" size="lg">
      {wish && <LinkForm wish={wish} close={close} done={done} />}
    </Dialog>
  );
}

function LinkForm({ wish: { friend, memberId }, close, done }: LinkDialogProps & { wish: Wish }) {
  const client = useQueryClient();
  const members = useQuery(membersQuery).data;
  const [chosen, setChosen] = useState(memberId);
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const member = members?.find(({ id }) => id === chosen);
  const linking = useMutation({
    mutationFn: (member_id: number) =>
      answerOf(api.POST("/api/admin/links", { body: { user_id: friend.user_id, member_id, reason: reason.trim() } })),
    onSuccess: () => {
      void linksChanged(client);
      done(`${member?.name ?? "会員"}さんと、LINEの「${friend.display_name ?? NAMELESS}」を連携しました。これから案内が届きます。`);
      close();
    },
    // Somebody else may have been quicker; the lists say what is true now.
    onError: () => void linksChanged(client),
  });
  const invalid = tried ? reasonError(reason, linking.error) : null;
  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (chosen !== null && reasonError(reason, null) === null && !linking.isPending) linking.mutate(chosen);
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.friend}>
        <Portrait friend={friend} />
        <div>
          LINEの「{friend.display_name ?? NAMELESS}」
          <small>
            最後の連絡 <Moment at={friend.last_contact_at} />
          </small>
        </div>
      </div>
      <MemberChoice members={members} suggested={memberId} chosen={chosen} choose={setChosen} missing={tried && chosen === null} />
      <ReasonField label="本人だとわかった理由" usual={USUAL} value={reason} error={invalid} change={setReason} />
      {linking.isError && invalid === null && <Refusal title="連携できませんでした" error={linking.error} />}
      <div className={classes.foot}>
        <Button variant="default" size="md" onClick={close} disabled={linking.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={linking.isPending}>
          {member ? `${member.name}さんと連携する` : "連携する"}
        </Button>
      </div>
    </form>
  );
}
