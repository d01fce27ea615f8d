import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import classes from "./EventsPage.module.css";
import { anyEventQuery } from "./queries";
import { type EventsSearch, isFiltered, onSide } from "./search";

interface NoEventsProps {
  search: EventsSearch;
  find: (wanted: EventsSearch) => void;
}

/** An empty list says why it is empty and what to do next. */
export function NoEvents({ search, find }: NoEventsProps) {
  const any = useQuery(anyEventQuery);
  const past = search.past === true;
  if (isFiltered(search)) {
    return (
      <Nothing title={`条件に合う${past ? "過去" : "これから"}のイベントはありません`} text="条件を変えるか、もう一方のイベントの中も探してみてください。">
        <Button variant="default" size="md" onClick={() => find(onSide(search, !past))}>
          {past ? "これからのイベントで探す" : "過去のイベントで探す"}
        </Button>
        <Button variant="subtle" size="md" onClick={() => find(past ? { past: true } : {})}>
          条件を消す
        </Button>
      </Nothing>
    );
  }
  if (past) return <Nothing title="過去のイベントはまだありません" text="開催日が過ぎたイベントが、翌日からここに並びます。" />;
  return (
    <Nothing title="これからのイベントはありません" text="案内の画像と日時を用意すれば、5分ほどで会員のLINEに出欠のお願いを送れます。">
      <Button size="md" renderRoot={(props) => <Link to="/events/new" {...props} />}>
        {any.data === false ? "最初のイベントを作る" : "イベントを作る"}
      </Button>
    </Nothing>
  );
}

function Nothing({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className={classes.nothing}>
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div className={classes.nothingButtons}>{children}</div>}
    </div>
  );
}
