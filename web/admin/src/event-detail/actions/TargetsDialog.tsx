import { Button, Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { matches, searchKey } from "../../../../api/search";
import { answerOf, api } from "../../api/client";
import { Failure } from "../../frame/Failure";
import { Notice } from "../../frame/Notice";
import { peopleCount } from "../event";
import { candidatesQuery } from "../queries";
import classes from "./Actions.module.css";
import { Chooser } from "./Chooser";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { fieldError } from "./field-errors";
import { useIdempotencyKeys } from "./useIdempotencyKeys";

/** Invites further people in two steps: choose them, then confirm the message. */
export function TargetsDialog({ event, done, close }: DialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [checking, setChecking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const keys = useIdempotencyKeys();
  const member_ids = [...chosen].sort((one, other) => one - other);
  const send = (confirm_over_quota: boolean) => {
    const body = { member_ids, confirm_over_quota };
    const headers = { "Idempotency-Key": keys.keyFor(body) };
    const params = { path: { event_id: event.id }, query: { wait: 3 } };
    return answerOf(api.POST("/api/admin/events/{event_id}/targets", { params, body, headers }));
  };
  if (!checking) return <Choosing {...{ event, chosen, setChosen, close }} choiceError={fieldError(error, "member_ids")} next={() => setChecking(true)} />;
  return (
    <Confirmation
      eventId={event.id}
      request={{ kind: "late", member_ids }}
      send={send}
      done={(result) => done("追加の招待", result)}
      back={{ label: "選び直す", go: () => setChecking(false) }}
      withoutAnybody="いまは送らずに追加する"
      refused={(refusal) => {
        setError(refusal);
        if (fieldError(refusal, "member_ids")) setChecking(false);
      }}
      emptyText="選んだ方は、すでに対象になっているか、LINEで送れません。選び直してください。"
    />
  );
}

interface ChoosingProps extends Pick<DialogProps, "event" | "close"> {
  chosen: ReadonlySet<number>;
  setChosen: (chosen: ReadonlySet<number>) => void;
  choiceError: string | null;
  next: () => void;
}

function Choosing({ event, chosen, setChosen, close, choiceError, next }: ChoosingProps) {
  const [searchText, setSearchText] = useState("");
  const wanted = searchKey(useDeferredValue(searchText));
  const { data, error, refetch } = useQuery(candidatesQuery);
  const asked = useMemo(() => new Set(event.current_status.map((person) => person.member_id)), [event.current_status]);
  const others = useMemo(() => data?.items.filter((person) => !asked.has(person.member_id)) ?? [], [data, asked]);
  const found = useMemo(() => others.filter((person) => matches(wanted, person.name, person.kana)), [others, wanted]);
  return (
    <div className={classes.stack}>
      <p>まだ対象になっていない方から選んでください。選んだ方には、はじめの招待と同じメッセージが届きます。</p>
      {choiceError && (
        <Notice tone="danger" alert>
          {choiceError}
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
            placeholder="氏名・ふりがな"
            data-autofocus
            value={searchText}
            onChange={(change) => setSearchText(change.currentTarget.value)}
          />
          <Chooser people={found} chosen={chosen} choose={setChosen} />
        </>
      )}
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button disabled={chosen.size === 0} onClick={next}>
          {chosen.size === 0 ? "確認へ進む" : `${peopleCount(chosen.size)}を選んで確認へ進む`}
        </Button>
      </div>
    </div>
  );
}
