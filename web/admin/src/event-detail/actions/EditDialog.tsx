import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isStale } from "../../../../api/errors";
import { answerOf, api } from "../../api/client";
import { eventQuery, noticeQuery } from "../queries";
import { type Base, changesOf, fieldsOf, merged, refusalOf, theirChanges } from "./changes";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { EditForm } from "./EditForm";
import { isAbout } from "./faults";
import { useKeys } from "./useKeys";
import { useOneAtATime } from "./useOneAtATime";

const FIELDS = ["title", "held_at", "body"];

/** Changes title, time or text, and tells people if wanted. Two offices at once are told of each other. */
export function EditDialog({ event, done, close }: DialogProps) {
  const client = useQueryClient();
  const keys = useKeys();
  const once = useOneAtATime();
  const [base, setBase] = useState<Base>(event);
  const [fields, setFields] = useState(() => fieldsOf(event));
  const [notify, setNotify] = useState(true);
  const [looking, setLooking] = useState(false);
  const [theirs, setTheirs] = useState<string[]>([]);
  const [refusal, setRefusal] = useState<unknown>(null);
  const changes = changesOf(base, fields);

  async function save(confirm_over_quota: boolean) {
    const body = { ...changes, notify, sequence: base.sequence, confirm_over_quota };
    const headers = { "Idempotency-Key": keys.keyFor(body) };
    const params = { path: { event_id: event.id }, query: { wait: 3 } };
    return answerOf(api.PATCH("/api/admin/events/{event_id}", { params, body, headers }));
  }
  const going = useMutation({
    mutationFn: async () => {
      setRefusal(null);
      const refused = refusalOf(changes, new Date());
      if (refused) throw refused;
      if (!notify) return save(false);
      await client.fetchQuery(noticeQuery(event.id, { kind: "change", ...changes }));
      return null;
    },
    onSuccess: (told) => (told === null ? setLooking(true) : done("変更", told)),
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

  if (looking) {
    return (
      <Confirmation
        eventId={event.id}
        ask={{ kind: "change", ...changes }}
        send={save}
        done={(told) => done("変更", told)}
        back={{ label: "入力に戻る", go: () => setLooking(false) }}
        refused={(error) => {
          if (!isAbout(error, FIELDS) && !isStale(error)) return;
          setRefusal(error);
          setLooking(false);
        }}
      >
        <p>変更を保存して、次のメッセージを送ります。</p>
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
      // The stream may have told of another's change while this one was typed.
      stale={isStale(refusal) || (!going.isPending && event.sequence > base.sequence)}
      reload={() => reloading.mutate()}
      reloading={reloading.isPending}
      theirs={theirs}
      busy={going.isPending}
      submit={() => once(() => going.mutateAsync())}
      close={close}
    />
  );
}
