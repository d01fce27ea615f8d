import { useEffect, useRef, useState } from "preact/hooks";
import { sentenceFor } from "../client/request";
import { sandbox } from "../client/sandbox";
import type { AnswersProgress } from "../client/types";
import { useSingleFlight } from "../state/single-flight";
import { doneOf } from "./run-words";

export function RunProgress({ run, onClose }: { run: AnswersProgress; onClose: () => void }) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const watch = useRef<HTMLButtonElement>(null);
  // The button that started it is gone, and the focus with it.
  useEffect(() => watch.current?.focus(), []);
  const [busy, once] = useSingleFlight();
  const stop = () => once(() => sandbox.stopAnswers().catch((failure: unknown) => setTrouble(sentenceFor(failure))));
  return (
    <div class="run-progress">
      <p>
        <b>
          {doneOf(run)} / {run.people}人
        </b>
        が回答しました
      </p>
      <progress max={run.people} value={doneOf(run)} aria-label="回答の進み具合" />
      <p class="run-parts">
        出席 {run.attend}人・欠席 {run.absent}人{run.failed > 0 && `・届かない回答 ${run.failed}人`}
      </p>
      <p class="field-trouble" role="alert">
        {trouble}
      </p>
      <div class="run-buttons">
        <button type="button" class="button" disabled={busy} onClick={() => void stop()}>
          途中でやめる
        </button>
        <button ref={watch} type="button" class="button main" onClick={onClose}>
          閉じて見守る
        </button>
      </div>
    </div>
  );
}
