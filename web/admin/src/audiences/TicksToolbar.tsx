import { Button, Input, Switch } from "@mantine/core";
import classes from "./Membership.module.css";
import type { Candidate } from "./membership";

interface TicksToolbarProps {
  searchText: string;
  setSearchText: (searchText: string) => void;
  only: boolean;
  setOnly: (only: boolean) => void;
  shown: readonly Candidate[];
  tick: (ids: readonly number[], on: boolean) => void;
  ticked: number;
  total: number;
}

export function TicksToolbar({ searchText, setSearchText, only, setOnly, shown, tick, ticked, total }: TicksToolbarProps) {
  const ids = () => shown.map(({ id }) => id);
  return (
    <div className={classes.toolbar}>
      <div className={classes.words}>
        <label htmlFor="membership-words">名前で絞り込む</label>
        <Input
          id="membership-words"
          type="search"
          size="md"
          maxLength={100}
          autoComplete="off"
          placeholder="氏名・ふりがな"
          value={searchText}
          onChange={(event) => setSearchText(event.currentTarget.value)}
        />
      </div>
      <Switch className={classes.only ?? ""} size="md" label="ONだけ表示" checked={only} onChange={(event) => setOnly(event.currentTarget.checked)} />
      <div className={classes.all}>
        <Button variant="default" size="sm" disabled={shown.length === 0} onClick={() => tick(ids(), true)}>
          表示中をすべて選ぶ
        </Button>
        <Button variant="default" size="sm" disabled={shown.length === 0} onClick={() => tick(ids(), false)}>
          表示中をすべて外す
        </Button>
      </div>
      <p className={classes.count} role="status">
        <strong>{ticked.toLocaleString("ja-JP")}人</strong>を選択中
        <span>
          （{shown.length < total && `${shown.length.toLocaleString("ja-JP")}人を表示・`}全{total.toLocaleString("ja-JP")}人）
        </span>
      </p>
    </div>
  );
}
