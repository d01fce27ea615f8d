import { Button, Radio, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, api } from "../../api/client";
import { Notice } from "../../frame/Notice";
import { fieldError, messageOf } from "../actions/field-errors";
import { useSingleFlight } from "../actions/useSingleFlight";
import { type EventDetail, memoLabel, type Person, STATUS_NAMES } from "../event";
import { refreshEvent } from "../queries";

const MAX_MEMO = 200;
type Given = "attend" | "absent";

/** The office writes down what somebody said on the telephone. */
export function OnBehalfForm({ event, person }: { event: EventDetail; person: Person }) {
  const [status, setStatus] = useState<Given | null>(person.status === "pending" ? null : person.status);
  const [memo, setMemo] = useState(person.extra_text ?? "");
  const runOnce = useSingleFlight();
  const [missing, setMissing] = useState(false);
  const recording = useMutation({
    mutationFn: (given: Given) => {
      const body = { member_id: person.member_id, status: given, extra_text: takesMemo(event, given) ? memo.trim() : null };
      return answerOf(api.POST("/api/admin/events/{event_id}/answers", { params: { path: { event_id: event.id } }, body }));
    },
    onSettled: () => refreshEvent(event.id),
  });

  function submit(change: FormEvent): void {
    change.preventDefault();
    setMissing(status === null);
    if (status !== null) runOnce(() => recording.mutateAsync(status));
  }

  const memoError = fieldError(recording.error, "extra_text");
  return (
    <form onSubmit={submit} noValidate style={{ display: "grid", gap: "0.875rem", marginTop: "0.5rem" }}>
      <Radio.Group
        aria-label="回答"
        value={status}
        onChange={(value) => setStatus(value as Given)}
        error={missing && "出席か欠席を選んでください"}
      >
        <div style={{ display: "flex", gap: "1.5rem" }}>
          <Radio value="attend" label={STATUS_NAMES.attend} />
          <Radio value="absent" label={STATUS_NAMES.absent} />
        </div>
      </Radio.Group>
      {event.extra_text.enabled && status !== null && takesMemo(event, status) && (
        <TextInput
          label={memoLabel(event)}
          description="ほかの参加者にも見えます。"
          maxLength={MAX_MEMO}
          value={memo}
          error={memoError}
          onChange={(change) => setMemo(change.currentTarget.value)}
        />
      )}
      <Button type="submit" loading={recording.isPending}>
        代理で回答を記録する
      </Button>
      {recording.isSuccess && (
        <div role="status">
          <Notice tone="success">「{STATUS_NAMES[recording.data.current]}」で記録しました。</Notice>
        </div>
      )}
      {recording.isError && !memoError && (
        <Notice tone="danger" alert>
          {messageOf(recording.error)}
        </Notice>
      )}
    </form>
  );
}

function takesMemo(event: EventDetail, status: Given): boolean {
  return event.extra_text.enabled && !(event.extra_text.attend_only && status === "absent");
}
