import { Button } from "@mantine/core";
import { useState } from "react";
import { Notice } from "../frame/Notice";
import { type ChangeResult, CLOSE, DELETE, type ManySlotsChange, PUBLISH, wordsOf } from "./change";
import { ChangeDialog } from "./ChangeDialog";
import own from "./Slots.module.css";

/** What was done to the slots that were ticked before. */
export interface Outcome {
  change: ManySlotsChange;
  result: ChangeResult;
}

interface SelectionProps {
  slotIds: readonly number[];
  /** How many days they lie on, where there are several. */
  days?: number;
  done: (outcome: Outcome) => void;
}

/** What can be done to the ticked slots, in sight while they are looked at. */
export function Selection({ slotIds, days, done }: SelectionProps) {
  const [asked, setAsked] = useState<ManySlotsChange | "contents" | null>(null);
  if (slotIds.length === 0) return null;
  return (
    <div className={own.selection} role="region" aria-label="選んだ予約枠">
      <strong>
        {slotIds.length.toLocaleString("ja-JP")}枠{days !== undefined && `（${days}日）`}を選んでいます
      </strong>
      <Button variant="subtle" color="var(--red)" onClick={() => setAsked(DELETE)}>
        削除する
      </Button>
      <Button variant="default" onClick={() => setAsked("contents")}>
        内容を変える
      </Button>
      <Button variant="default" onClick={() => setAsked(CLOSE)}>
        締め切る
      </Button>
      <Button onClick={() => setAsked(PUBLISH)}>公開する</Button>
      <ChangeDialog slotIds={slotIds} change={asked} ask={setAsked} done={(change, result) => done({ change, result })} />
    </div>
  );
}

export function OutcomeNotice({ outcome: { change, result } }: { outcome: Outcome }) {
  const left = result.refused.length;
  return (
    <Notice tone="success" className={own.outcome} title={`${result.changed.toLocaleString("ja-JP")}枠を${wordsOf(change).done}`} alert>
      {left > 0 && `ほかの${left.toLocaleString("ja-JP")}枠は${wordsOf(change).cannot}でした。そのまま残っています。`}
    </Notice>
  );
}
