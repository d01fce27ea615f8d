import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api } from "../api/client";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { Dialog } from "./Dialog";
import { isGone } from "./name-errors";
import { type Audience, audiencesChanged } from "./queries";

export function DeleteDialog({ audience, close }: { audience: Audience | null; close: () => void }) {
  return (
    <Dialog opened={audience !== null} close={close} title="グループを削除">
      {audience && <Question audience={audience} close={close} />}
    </Dialog>
  );
}

function Question({ audience, close }: { audience: Audience; close: () => void }) {
  const client = useQueryClient();
  const deleting = useMutation({
    mutationFn: async () => {
      try {
        await answerOf(api.DELETE("/api/admin/audiences/{audience_id}", { params: { path: { audience_id: audience.id } } }));
      } catch (error) {
        // Somebody else was quicker, and what was asked for is done.
        if (!isGone(error)) throw error;
      }
    },
    onSuccess: () => {
      void audiencesChanged(client);
      close();
    },
  });
  return (
    <div className={dialogs.form}>
      <p>
        <strong>「{audience.name}」</strong>を削除しますか？ グループは元に戻せません。
      </p>
      <p>
        {audience.member_count > 0 && `入っている${audience.member_count.toLocaleString("ja-JP")}人は、会員名簿にそのまま残ります。`}
        これまでに送ったイベントや回答も、そのまま残ります。
      </p>
      {deleting.isError && <Refusal title="削除できませんでした" error={deleting.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={deleting.isPending} data-autofocus>
          やめる
        </Button>
        <Button size="md" color="var(--red)" loading={deleting.isPending} onClick={() => deleting.mutate()}>
          削除する
        </Button>
      </div>
    </div>
  );
}
