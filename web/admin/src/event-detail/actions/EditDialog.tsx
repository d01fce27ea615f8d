import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isStale } from "../../../../api/errors";
import { answerOf, api } from "../../api/client";
import { eventQuery, messagePreviewQuery } from "../queries";
import { type Base, changesOf, fieldsOf, merged, refusalOf, theirChanges } from "./changes";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { EditForm } from "./EditForm";
import { isAboutFields } from "./field-errors";
import { useIdempotencyKeys } from "./useIdempotencyKeys";
import { useSingleFlight } from "./useSingleFlight";

const FIELDS = ["title", "held_at", "body"];

/** Changes title, time or text, and notifies people if wanted. It shows changes that another administrator made meanwhile. */
export function EditDialog({ event, done, close }: DialogProps) {
  const client = useQueryClient();
  const keys = useIdempotencyKeys();
  const runOnce = useSingleFlight();
  const [base, setBase] = useState<Base>(event);
  const [fields, setFields] = useState(() => fieldsOf(event));
  const [notify, setNotify] = useState(true);
  const [confirming, setConfirming] = useState(false);
  const [theirs, setTheirs] = useState<string[]>([]);
  const [refusal, setRefusal] = useState<unknown>(null);
  const changes = changesOf(base, fields);

  async function save(confirm_over_quota: boolean) {
    const body = { ...changes, notify, sequence: base.sequence, confirm_over_quota };
    const headers = { "Idempotency-Key": keys.keyFor(body) };
    const params = { path: { event_id: event.id }, query: { wait: 3 } };
    return answerOf(api.PATCH("/api/admin/events/{event_id}", { params, body, headers }));
  }
  const submitting = useMutation({
    mutationFn: async () => {
      setRefusal(null);
      const refused = refusalOf(changes, new Date());
      if (refused) throw refused;
      if (!notify) return save(false);
      await client.fetchQuery(messagePreviewQuery(event.id, { kind: "change", ...changes }));
      return null;
    },
    onSuccess: (result) => (result === null ? setConfirming(true) : done("変更", result)),
    onError: setRefusal,
  });
  const reloading = useMutation({
    mutationFn: () => client.fetchQuery({ ...eventQuery(event.id, null), staleTime: 0 }),
    onSuccess: (latest) => {
      setTheirs(theirChanges(fields, base, latest));
      setFields(merged(fields, base, latest));
      setBase(latest);
      setRefusal(null);
    },
    onError: setRefusal,
  });

  if (confirming) {
    return (
      <Confirmation
        eventId={event.id}
        request={{ kind: "change", ...changes }}
        send={save}
        done={(result) => done("変更", result)}
        back={{ label: "入力に戻る", go: () => setConfirming(false) }}
        withoutAnybody="LINEで知らせずに保存する"
        refused={(error) => {
          if (!isAboutFields(error, FIELDS) && !isStale(error)) return;
          setRefusal(error);
          setConfirming(false);
        }}
      >
        <p>変更を保存します。届く方には、次のメッセージを送ります。</p>
      </Confirmation>
    );
  }
  return (
    <EditForm
      fields={fields}
      change={(changed) => setFields({ ...fields, ...changed })}
      notify={notify}
      setNotify={setNotify}
      unchanged={Object.keys(changes).length === 0}
      error={refusal}
      // The live stream may have brought another administrator's change while this one was typed.
      stale={isStale(refusal) || (!submitting.isPending && event.sequence > base.sequence)}
      reload={() => reloading.mutate()}
      reloading={reloading.isPending}
      theirs={theirs}
      busy={submitting.isPending}
      submit={() => runOnce(() => submitting.mutateAsync())}
      close={close}
    />
  );
}
