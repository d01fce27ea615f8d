import { Button, Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { matches, searchKey } from "../../../../api/search";
import { answerOf, api } from "../../api/client";
import { Failure } from "../../frame/Failure";
import { Notice } from "../../frame/Notice";
import { inPeople } from "../event";
import { candidatesQuery } from "../queries";
import classes from "./Actions.module.css";
import { Chooser } from "./Chooser";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { faultOf } from "./faults";
import { useKeys } from "./useKeys";

/** Asks further people: choose, look, send. */
export function TargetsDialog({ event, done, close }: DialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [checking, setChecking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const keys = useKeys();
  const member_ids = [...chosen].sort((one, other) => one - other);
  const send = (confirm_over_quota: boolean) => {
    const body = { member_ids, confirm_over_quota };
    const headers = { "Idempotency-Key": keys.keyFor(body) };
    const params = { path: { event_id: event.id }, query: { wait: 3 } };
    return answerOf(api.POST("/api/admin/events/{event_id}/targets", { params, body, headers }));
  };
  if (!checking) return <Choosing {...{ event, chosen, setChosen, close }} fault={faultOf(error, "member_ids")} next={() => setChecking(true)} />;
  return (
    <Confirmation
      eventId={event.id}
      ask={{ kind: "late", member_ids }}
      send={send}
      done={(told) => done("追加の招待", told)}
      back={{ label: "選び直す", go: () => setChecking(false) }}
      refused={(refusal) => {
        setError(refusal);
        if (faultOf(refusal, "member_ids")) setChecking(false);
      }}
      nobody="選んだ方は、すでに対象になっているか、LINEで送れません。選び直してください。"
    />
  );
}

interface ChoosingProps extends Pick<DialogProps, "event" | "close"> {
  chosen: ReadonlySet<number>;
  setChosen: (chosen: ReadonlySet<number>) => void;
  fault: string | null;
  next: () => void;
}

function Choosing({ event, chosen, setChosen, close, fault, next }: ChoosingProps) {
  const [words, setWords] = useState("");
  const wanted = searchKey(useDeferredValue(words));
  const { data, error, refetch } = useQuery(candidatesQuery);
  const asked = useMemo(() => new Set(event.current_status.map((person) => person.member_id)), [event.current_status]);
  const others = useMemo(() => data?.items.filter((person) => !asked.has(person.member_id)) ?? [], [data, asked]);
  const found = useMemo(() => others.filter((person) => matches(wanted, person.name, person.kana)), [others, wanted]);
  return (
    <div className={classes.stack}>
      <p>まだ対象になっていない方から選んでください。選んだ方には、はじめの招待と同じメッセージが届きます。</p>
      {fault && (
        <Notice tone="danger" alert>
          {fault}
        </Notice>
      )}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={340} />}
      {data && others.length === 0 && <Notice tone="info">LINEで送れる方は、すでに全員が対象です。</Notice>}
      {others.length > 0 && (
        <>
          <TextInput
            type="search"
            label="名前で探す"
            data-autofocus
            value={words}
            onChange={(change) => setWords(change.currentTarget.value)}
          />
          <Chooser people={found} chosen={chosen} choose={setChosen} />
        </>
      )}
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button disabled={chosen.size === 0} onClick={next}>
          {chosen.size === 0 ? "確認へ進む" : `${inPeople(chosen.size)}を選んで確認へ進む`}
        </Button>
      </div>
    </div>
  );
}
