import { Button } from "@mantine/core";
import { SuccessIcon } from "../frame/icons";
import classes from "./Membership.module.css";
import { type Changes, inShort, isChanged } from "./membership";

interface SaveBarProps {
  changes: Changes;
  /** What the last save did, as long as nothing has been changed since. */
  saved: (Changes & { theirs: Changes; count: number }) | null;
  busy: boolean;
  save: () => void;
  undo: () => void;
}

/** Always in sight: what is not saved yet is easily forgotten at the end of a long list. */
export function SaveBar({ changes, saved, busy, save, undo }: SaveBarProps) {
  const changed = isChanged(changes);
  return (
    <div className={classes.bar} data-changed={changed || undefined}>
      <p role="status" className={classes.summary}>
        {changed && (
          <span>
            未保存の変更：<strong className="figures">{inShort(changes)}</strong>
          </span>
        )}
        {!changed && saved && (
          <>
            <SuccessIcon />
            <span>
              保存しました（<span className="figures">{inShort(saved)}</span>）。いま{saved.count.toLocaleString("ja-JP")}人です。
              {isChanged(saved.theirs) && `ほかの人が先に変えた分（${inShort(saved.theirs)}）も、そのまま残してあります。`}
            </span>
          </>
        )}
        {!changed && !saved && "変更はありません。"}
      </p>
      <Button variant="default" size="md" disabled={!changed || busy} onClick={undo}>
        元に戻す
      </Button>
      <Button size="md" disabled={!changed} loading={busy} onClick={save}>
        保存する
      </Button>
    </div>
  );
}
