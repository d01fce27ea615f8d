import { useEffect, useRef, useState } from "preact/hooks";
import { sentenceFor, SandboxFailure } from "../client/request";
import { sandbox } from "../client/sandbox";
import type { AnswersProgress } from "../client/types";
import { Dialog } from "../page/Dialog";
import { Icon } from "../page/Icon";
import { useSingleFlight } from "../state/single-flight";
import { useSelected } from "../state/store";
import { RunProgress } from "./RunProgress";
import { nobodyAnswers, summaryOfRun } from "./run-words";

const TIMES = [3, 10, 30, 60];
const CONFLICT = 409;

interface Wish {
  share: number;
  seconds: number;
}

export function AnswersDialog({ onClose }: { onClose: () => void }) {
  const run = useSelected((state) => state.answers);
  const [wish, setWish] = useState<Wish>({ share: 90, seconds: 10 });
  const sawItRun = useRef(false);
  if (run?.running) sawItRun.current = true;
  return (
    <Dialog title="みんなで回答（でたらめに）" kind="box" onClose={onClose}>
      <p class="dialog-words">
        イベントの案内を受け取った友だちが、それぞれの電話からいちばん新しいイベントに出席か欠席を回答します。管理画面の数字が動くところを見てください。
      </p>
      {run && !run.running && <RunResult run={run} focused={sawItRun.current} />}
      {run?.running ? <RunProgress run={run} onClose={onClose} /> : <WishForm wish={wish} setWish={setWish} again={run !== null} />}
    </Dialog>
  );
}

/** Takes the focus when the buttons of the running answers go away under it. */
function RunResult({ run, focused }: { run: AnswersProgress; focused: boolean }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (focused) place.current?.focus();
  }, [focused]);
  return (
    <p ref={place} tabIndex={-1} class={`run-result ${run.failed > 0 ? "warn" : "good"}`}>
      {summaryOfRun(run)}
    </p>
  );
}

interface WishFormProps {
  /** Kept outside, so that a second show starts as the first one did. */
  wish: Wish;
  setWish: (wish: Wish) => void;
  again: boolean;
}

function WishForm({ wish, setWish, again }: WishFormProps) {
  const { share, seconds } = wish;
  const [trouble, setTrouble] = useState<string | null>(null);
  const [busy, once] = useSingleFlight();
  const submit = () =>
    once(async () => {
      try {
        const { people, invited } = await sandbox.startAnswers(wish);
        setTrouble(people === 0 ? nobodyAnswers(invited) : null);
      } catch (failure) {
        setTrouble(sentenceOf(failure));
      }
    });
  return (
    <form
      class="name-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label for="answers-share">回答する人の割合</label>
      <div class="wish-row">
        <input
          id="answers-share"
          type="range"
          min={0}
          max={100}
          step={5}
          value={share}
          aria-valuetext={`${share}パーセント`}
          onInput={(event) => setWish({ ...wish, share: event.currentTarget.valueAsNumber })}
        />
        <output for="answers-share">{share}%</output>
      </div>
      <fieldset class="wish-times">
        <legend>かける時間</legend>
        {TIMES.map((time) => (
          <label key={time}>
            <input type="radio" name="answers-seconds" checked={seconds === time} onChange={() => setWish({ ...wish, seconds: time })} />
            <span>{time}秒</span>
          </label>
        ))}
      </fieldset>
      <p class="field-trouble" role="alert">
        {trouble}
      </p>
      <button type="submit" class="button main wide" disabled={busy}>
        <Icon name="dice" />
        {busy ? "始めています…" : again ? "もう一度、回答を始める" : "回答を始める"}
      </button>
    </form>
  );
}

/** Another page, or another person, was quicker. */
function sentenceOf(failure: unknown): string {
  const running = failure instanceof SandboxFailure && failure.status === CONFLICT;
  return running ? "いま回答の最中です。終わってから、もう一度お試しください。" : sentenceFor(failure);
}
