import { focusTopBar } from "../page/focus-top-bar";
import { Icon } from "../page/Icon";
import { update, useSelected } from "../state/store";
import { doneOf, summaryOfRun } from "./run-words";

function putAwayResult(): void {
  update({ answers: null });
  focusTopBar();
}

/** Under the top bar while everybody answers, and afterwards with the result until it is put away. */
export function RunStrip({ onOpen }: { onOpen: () => void }) {
  const run = useSelected((state) => state.answers);
  if (run === null) return null;
  if (!run.running) {
    return (
      <div class={`strip ${run.failed > 0 ? "warn" : "good"}`}>
        <Icon name={run.failed > 0 ? "alert" : "check"} size={18} />
        <p>{summaryOfRun(run)}</p>
        <button type="button" class="round small" aria-label="回答の結果を閉じる" onClick={putAwayResult}>
          <Icon name="close" size={16} />
        </button>
      </div>
    );
  }
  return (
    <div class="strip">
      <span class="spinner" aria-hidden="true" />
      <p>
        みんなが回答しています…{" "}
        <b>
          {doneOf(run)} / {run.people}人
        </b>
      </p>
      <button type="button" class="strip-button" onClick={onOpen}>
        進み具合
      </button>
    </div>
  );
}
