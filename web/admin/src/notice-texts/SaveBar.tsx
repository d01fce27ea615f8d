import { Button } from "@mantine/core";
import { SuccessIcon } from "../frame/icons";
import classes from "./Texts.module.css";

interface SaveBarProps {
  unsaved: boolean;
  saved: boolean;
  busy: boolean;
  /** False while the text has a flaw, or was not checked yet. */
  ready: boolean;
  save: () => void;
  undo: () => void;
}

export function SaveBar({ unsaved, saved, busy, ready, save, undo }: SaveBarProps) {
  return (
    <div className={classes.bar} data-changed={unsaved || undefined}>
      <p role="status">
        {unsaved && "保存していません。"}
        {!unsaved && saved && (
          <>
            <SuccessIcon />
            保存しました。次に送る通知から使います。
          </>
        )}
        {!unsaved && !saved && "変更はありません。"}
      </p>
      <Button variant="default" size="md" disabled={!unsaved || busy} onClick={undo}>
        元に戻す
      </Button>
      <Button size="md" disabled={!unsaved || !ready} loading={busy} onClick={save}>
        保存する
      </Button>
    </div>
  );
}
