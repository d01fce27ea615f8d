import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ApiError } from "../../../../api/errors";
import { Quota } from "../../event-detail/actions/Quota";
import { messageOf } from "../../event-detail/actions/field-errors";
import { instantOf, withWeekday } from "../../event-detail/times";
import { ConfirmDialog } from "../../event-new/ConfirmDialog";
import { Field } from "../../event-new/Field";
import type { Step } from "../../event-new/rules/field-errors";
import { StepPanel } from "../../event-new/StepPanel";
import { oneLine } from "../../event-new/steps/BasicsStep";
import summary from "../../event-new/steps/Confirm.module.css";
import { Failure } from "../../frame/Failure";
import { ListSkeleton } from "../../frame/ListSkeleton";
import { Notice } from "../../frame/Notice";
import type { BoardSearch } from "../../threads/search";
import { chosenText } from "../../threads/slot-times";
import { Texts } from "../../threads/Texts";
import { BEYOND_LIMIT, type CreationPreview, peopleCount } from "../../threads/thread";
import { Ways } from "../../threads/Ways";
import { deadlineOf, LONGEST, subjectOf, type ThreadDraft, wireThread } from "../draft";
import { deciderOf, DECIDERS } from "../how/rule";
import { isMadeAlready, isUncertain, useCreating } from "../sending";
import { serverErrors } from "../server-errors";
import { type Errors, STEPS } from "../steps-of";
import { useCreationPreview } from "../usePeople";
import classes from "./Look.module.css";
import type { StepProps } from "./step-props";

interface LookStepProps extends StepProps {
  go: (step: Step) => void;
  refuse: (errors: Errors) => void;
  made: (threadId: string, search: BoardSearch) => void;
}

export function LookStep({ editor, draft, change, errors, people, back, go, refuse, made }: LookStepProps) {
  const [asking, setAsking] = useState(false);
  const [overQuota, setOverQuota] = useState(false);
  const body = wireThread(draft, people.groups, new Date(), people.people?.length);
  const preview = useCreationPreview(body, people.people !== undefined);
  const creating = useCreating(draft, {
    refuse: (given) => {
      setAsking(false);
      refuse(given);
    },
    attempt: editor.attempt,
    finish: editor.finish,
    made,
  });
  const { data } = preview;
  const refusal = preview.isError ? serverErrors(preview.error) : null;
  const ready = data !== undefined && !preview.behind && creating.busy === null;
  const short = data?.cost.enough === false;
  const buttons = (
    <div className={classes.buttons}>
      <Button variant="default" size="md" disabled={!ready} loading={creating.busy === "save"} onClick={() => void creating.create(body, null)}>
        下書きに保存
      </Button>
      <Button type="submit" size="md" disabled={!ready || (short && !overQuota)}>
        {data ? `${peopleCount(data.people.length)}に送る` : "送る"}
      </Button>
    </div>
  );
  return (
    <StepPanel
      step={5}
      names={STEPS}
      lead="声をかける方には、このように届きます。確かめてから送ってください。"
      back={back}
      onSubmit={() => ready && !(short && !overQuota) && setAsking(true)}
      action={buttons}
    >
      {preview.isError && refusal === null && <Failure error={preview.error} retry={() => void preview.refetch()} />}
      {refusal !== null && (
        <Notice tone="danger" title="直すところがあります" alert className={summary.notice}>
          {Object.values(refusal).join("。")}
          <div>
            <Button variant="default" size="sm" mt="xs" onClick={() => refuse(refusal)}>
              直す画面へ
            </Button>
          </div>
        </Notice>
      )}
      {!data && !preview.isError && <ListSkeleton />}
      {data && (
        <div className={summary.columns}>
          <div className={summary.facts}>
            <Facts draft={draft} preview={data} go={go} />
            <div className={classes.block}>
              {data.warnings.map((warning) => (
                <Notice key={warning.code + warning.message} tone="warning">
                  {warning.message}
                </Notice>
              ))}
              {data.cost.cost > 0 && <Quota quota={data.cost} confirmed={overQuota} confirm={setOverQuota} beyond={BEYOND_LIMIT} />}
            </div>
          </div>
          <div className={classes.texts}>
            <Field id="mail-subject" label="メールの件名" error={errors.mail_subject}>
              {(aria) => <input {...aria} autoComplete="off" maxLength={LONGEST.subject} value={subjectOf(draft)} onChange={(event) => change({ subject: oneLine(event.currentTarget.value) })} />}
            </Field>
            <Texts texts={data} />
          </div>
        </div>
      )}
      {!asking && creating.error !== null && <Problem error={creating.error} />}
      <ConfirmDialog
        opened={asking}
        title={`${peopleCount(data?.people.length ?? 0)}に送りますか？`}
        confirm={creating.error === null ? "送る" : "もう一度送る"}
        busy={creating.busy === "send"}
        onConfirm={() => void creating.create(body, short && overQuota)}
        onClose={() => {
          setAsking(false);
          creating.clear();
        }}
      >
        <p>「{draft.title.trim()}」の日程の相談を、いますぐ送ります。</p>
        {data && <Ways reached={{ ...data, people: data.people.filter(({ channel }) => channel === "call") }} />}
        <p role="status">{creating.busy === "send" && "送信を受け付けています。このままお待ちください。"}</p>
        {creating.error !== null && <Problem error={creating.error} />}
      </ConfirmDialog>
    </StepPanel>
  );
}

function Problem({ error }: { error: unknown }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  if (isUncertain(error)) {
    return (
      <Notice tone="warning" title="受け付けられたかどうか、確かめられませんでした" requestId={requestId} alert className={summary.notice}>
        {messageOf(error)} もう一度押しても、二重に作られたり、二重に届いたりすることはありません。
      </Notice>
    );
  }
  if (isMadeAlready(error)) {
    return (
      <Notice tone="warning" title="すでに作成されています" requestId={requestId} alert className={summary.notice}>
        この下書きは、内容を変える前に一度受け付けられています（別の画面で送ったときなど）。二重に送らないよう、止めました。
        <Link to="/threads">日程調整の一覧</Link>
        で確かめてください。別のものとして作るときは、「入力を破棄」を押して、はじめから入力してください。
      </Notice>
    );
  }
  return (
    <Notice tone="danger" title="できませんでした" requestId={requestId} alert className={summary.notice}>
      {messageOf(error)}
    </Notice>
  );
}

function Facts({ draft, preview, go }: { draft: ThreadDraft; preview: CreationPreview; go: (step: Step) => void }) {
  const deadline = instantOf(deadlineOf(draft, new Date()));
  const options = [
    DECIDERS[deciderOf(draft)].title,
    draft.remind ? "期限の前日に督促" : null,
    draft.maybe ? "△あり" : "○×だけ",
    draft.visible ? "回答を互いに見せる" : null,
  ].filter((one) => one !== null);
  return (
    <dl className={summary.summary}>
      <Fact name="題名" step={1} go={go}>
        {draft.title.trim()}
        {draft.place.trim() !== "" && <p className={classes.small}>場所：{draft.place.trim()}</p>}
      </Fact>
      <Fact name="候補日" step={2} go={go}>
        <ul className={classes.slots}>
          {draft.slots.map((slot) => (
            <li key={`${slot.date}${slot.start}${slot.minutes}`} className="figures">
              {chosenText(slot)}
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name="声をかける方" step={3} go={go}>
        <strong className="figures">{peopleCount(preview.people.length)}</strong>
        <Ways reached={preview} />
      </Fact>
      <Fact name="決め方" step={4} go={go}>
        {preview.rule_sentence}
        <p className={classes.small}>{options.join("・")}</p>
      </Fact>
      <Fact name="回答期限" step={4} go={go}>
        <span className="figures">{deadline === null ? "" : withWeekday(deadline)}</span>
      </Fact>
    </dl>
  );
}

interface FactProps {
  name: string;
  step: Step;
  go: (step: Step) => void;
  children: ReactNode;
}

function Fact({ name, step, go, children }: FactProps) {
  return (
    <div className={summary.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd className={summary.edit}>
        <button type="button" onClick={() => go(step)} aria-label={`${name}を直す`}>
          直す
        </button>
      </dd>
    </div>
  );
}
