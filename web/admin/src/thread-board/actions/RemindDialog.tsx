import { Button, Checkbox, Radio, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { formatWithWeekday } from "../../../../kit/dates";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { Notice } from "../../frame/Notice";
import { peopleCount } from "../../threads/thread";
import { askedLately, remindedText } from "../words";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";

const LONGEST_MESSAGE = 500;
const LONGER_HOURS = 72;

/** Reminds people. By itself those who can still change the outcome; or everybody who has not answered; or those named. */
export function RemindDialog({ board, keys: named, done, close }: DialogProps & { keys: string[] | null }) {
  const [who, setWho] = useState<"needed" | "open">("needed");
  const [message, setMessage] = useState("");
  const [longer, setLonger] = useState(false);
  const [checking, setChecking] = useState(false);
  const idempotency = useIdempotencyKeys();
  const { id } = board.thread;
  const open = board.people.filter(({ responded_at }) => responded_at === null);
  const person = named === null ? undefined : board.people.find(({ invitee_key }) => invitee_key === named[0]);
  const keys = named ?? (who === "open" ? open.map(({ invitee_key }) => invitee_key) : null);
  const words = message.trim() === "" ? {} : { message: message.trim() };
  const chosen = { ...(keys === null ? {} : { invitee_keys: keys }), ...words, ...(person?.status === "declined" ? { force: true } : {}) };
  const lately = askedLately({ thread: board.thread, people: person ? [person] : board.people }, Date.now());
  const send = (confirm_over_quota: boolean) => {
    const body = { ...chosen, ...(longer ? { extend_hours: LONGER_HOURS } : {}), confirm_over_quota };
    return answerOf(api.POST("/api/threads/{thread_id}/remind", { params: { path: { thread_id: id } }, body: body as never, headers: { "Idempotency-Key": idempotency.keyFor(body) } }));
  };
  if (checking) {
    return (
      <Confirmation
        threadId={id}
        order={{ action: "remind", ...chosen }}
        send={send}
        done={(result) => done(remindedText(result))}
        back={{ label: "入力に戻る", go: () => setChecking(false) }}
        confirm={(people) => `${peopleCount(people)}に督促を送る`}
        emptyText={`いま督促を送る方がいません。督促は、おひとりに1日1回までです。${longer ? "回答できる期間だけを、のばせます。だれにも知らせは届きません。" : ""}`}
        confirmEmpty={({ skipped }) => {
          const people = longer ? skipped.filter(({ reason }) => reason === "REMINDED_TODAY" || reason === "UNREACHABLE").length : 0;
          return people === 0 ? null : `知らせずに${peopleCount(people)}の期間をのばす`;
        }}
      />
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecking(true);
  };
  return (
    <form className={classes.stack} onSubmit={submit} noValidate>
      {lately !== null && <Notice tone="warning">案内は {formatWithWeekday(lately)} に送ったところです。まだ読んでいない方にも、続けて督促が届きます。</Notice>}
      {named === null ? (
        <Radio.Group label="送る方" value={who} onChange={(value) => setWho(value as "needed" | "open")}>
          <div className={classes.stack} style={{ marginTop: "0.5rem" }}>
            <Radio value="needed" label="結果を左右できる方" description="回答しだいで日程が変わる方と、はじめの案内が届かなかった方だけに送ります。" />
            <Radio value="open" label={`まだ答えていない方すべて（${peopleCount(open.length)}）`} description="期限を過ぎた方も含みます。" />
          </div>
        </Radio.Group>
      ) : (
        <p>
          {person?.name ?? ""}さんに、回答をお願いするメッセージを送ります。
          {person?.status === "declined" && "「どの日も行けない」という回答は、新しい回答があるまで残ります。"}
        </p>
      )}
      <Textarea label="ひとこと" description="お願いの文に添えます。書かなくてもかまいません。" autosize minRows={2} maxRows={6} maxLength={LONGEST_MESSAGE} value={message} onChange={(event) => setMessage(event.currentTarget.value)} />
      <Checkbox label="回答できる期間を、いまから3日間にのばす" description="送る方と、今日すでに督促した方、LINEでもメールでも届かない方の期限が変わります。" checked={longer} onChange={(event) => setLonger(event.currentTarget.checked)} />
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button type="submit" data-autofocus>
          確認へ進む
        </Button>
      </div>
    </form>
  );
}
