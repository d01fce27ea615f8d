import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Failure } from "../../frame/Failure";
import { ListSkeleton } from "../../frame/ListSkeleton";
import { Notice } from "../../frame/Notice";
import { previewQuery, requestFields } from "../queries";
import type { FieldErrors, Step } from "../rules/field-errors";
import { serverFieldErrors, errorText } from "../rules/error-texts";
import { SendDialog } from "../sending/SendDialog";
import { useSending } from "../sending/useSending";
import { StepPanel } from "../StepPanel";
import type { Recipients } from "../useRecipients";
import classes from "./Confirm.module.css";
import { PhonePreview } from "./PhonePreview";
import { Quota } from "./Quota";
import type { StepProps } from "./step-props";
import { Summary } from "./Summary";
import { usePictureUrl } from "./usePictureUrl";

interface ConfirmStepProps extends StepProps {
  recipients: Recipients;
  go: (step: Step) => void;
  onFieldErrors: (errors: FieldErrors) => void;
  onCreated: (eventId: number) => void;
  onConfirmed: () => void;
  onDiscard: () => void;
}

export function ConfirmStep({ editor, errors, back, recipients, go, onFieldErrors, onCreated, onConfirmed, onDiscard }: ConfirmStepProps) {
  const { draft, picture } = editor;
  const [confirming, setConfirming] = useState(false);
  const [overQuota, setOverQuota] = useState(draft.attempt?.overQuota ?? false);
  const memberIds = draft.attempt?.memberIds ?? recipients.chosen.map(({ id }) => id);
  const preview = useQuery({ ...previewQuery(requestFields(draft, memberIds)), enabled: memberIds.length > 0 });
  const pictureUrl = usePictureUrl(picture?.file);
  const sending = useSending(editor, {
    onCreated: (made) => onCreated(made.event_id),
    onFieldErrors: (errors) => {
      setConfirming(false);
      onFieldErrors(errors);
    },
  });

  // What the preview finds wrong is what sending would be refused for: better to hear it now.
  const refusal = preview.isError ? serverFieldErrors(preview.error) : null;
  useEffect(() => {
    if (refusal !== null) onFieldErrors(refusal);
  }, [refusal === null]);

  const short = preview.data?.quota.enough === false;
  const reached = preview.data?.ways.line ?? 0;
  const failure = recipients.error ?? (refusal === null ? preview.error : null);
  const loading = !preview.data && failure === null;
  const ask = () => {
    if (short && !overQuota) onFieldErrors({ confirm_over_quota: "REQUIRED" });
    else setConfirming(true);
  };
  const action = (
    <Button type="submit" size="md" disabled={!preview.data}>
      {!preview.data ? "送信する" : reached > 0 ? `${reached.toLocaleString("ja-JP")}人に送信する` : "いまは送らずに作成する"}
    </Button>
  );
  return (
    <StepPanel step={5} lead="会員のLINEには、このように届きます。確かめてから送信してください。" back={back} onSubmit={ask} action={action}>
      {failure !== null && (
        <Failure
          error={failure}
          retry={() => {
            recipients.refetch();
            void preview.refetch();
          }}
        />
      )}
      {loading && <ListSkeleton />}
      {draft.attempt !== null && !sending.busy && (
        <Notice tone="warning" title="前回の送信の結果を、確かめられていません" className={classes.notice}>
          もう一度、送信のボタンを押してください。すでに送られていたときも、同じ案内が二重に届くことはありません。
        </Notice>
      )}
      {preview.data && (
        <div className={classes.columns}>
          <div className={classes.facts}>
            <Summary draft={draft} preview={preview.data} all={recipients.all ?? []} go={go} />
            <Quota
              quota={preview.data.quota}
              confirmed={overQuota}
              error={errorText("confirm_over_quota", errors.confirm_over_quota)}
              onConfirm={(ticked) => {
                setOverQuota(ticked);
                onConfirmed();
              }}
            />
          </div>
          <PhonePreview messages={preview.data.messages} pictureUrl={pictureUrl} />
        </div>
      )}
      <SendDialog
        opened={confirming}
        draft={draft}
        people={reached}
        others={memberIds.length - reached}
        sending={sending}
        onSend={() => void sending.send(draft.attempt ?? { memberIds, overQuota: short && overQuota })}
        onClose={() => setConfirming(false)}
        onDiscard={onDiscard}
      />
    </StepPanel>
  );
}
