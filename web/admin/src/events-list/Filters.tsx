import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import classes from "./EventsPage.module.css";
import inputs from "./Input.module.css";
import { type EventsSearch, isBackwards, isFiltered } from "./search";

interface FiltersProps {
  search: EventsSearch;
  find: (wanted: EventsSearch) => void;
}

const PAUSE_MS = 300;

export function Filters({ search, find }: FiltersProps) {
  const backwards = isBackwards(search);
  const day = (name: "from" | "to", label: string) => (
    <div className={classes.day}>
      <label htmlFor={`events-${name}`}>{label}</label>
      <input
        className={inputs.input}
        id={`events-${name}`}
        type="date"
        max="9999-12-31"
        aria-invalid={backwards}
        aria-describedby="events-period"
        value={search[name] ?? ""}
        onChange={(event) => find(changed(search, name, event.currentTarget.value))}
      />
    </div>
  );
  return (
    <search className={classes.filters}>
      <Words search={search} find={find} />
      {day("from", "開催日（いつから）")}
      {day("to", "開催日（いつまで）")}
      <Button variant="subtle" size="md" className={isFiltered(search) ? undefined : classes.unseen} onClick={() => find(search.past ? { past: true } : {})}>
        条件を消す
      </Button>
      <p id="events-period" role="alert" className={classes.backwards}>
        {backwards && "「いつまで」が「いつから」より前です。日付を選び直してください。"}
      </p>
    </search>
  );
}

/** Typing is followed after a moment of rest, not letter by letter. */
function Words({ search, find }: FiltersProps) {
  const [text, setText] = useState(search.query ?? "");
  const asked = useRef(search.query ?? "");
  // Somebody else changed it: the button that clears everything, or the browser's way back.
  useEffect(() => {
    if ((search.query ?? "") !== asked.current) setText(search.query ?? "");
    asked.current = search.query ?? "";
  }, [search.query]);
  useEffect(() => {
    if (text.trim() === asked.current.trim()) return undefined;
    const timer = setTimeout(() => {
      asked.current = text.trim() === "" ? "" : text;
      find(changed(search, "query", text));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, search]);
  return (
    <div className={classes.words}>
      <label htmlFor="events-query">タイトルで探す</label>
      <input
        className={inputs.input}
        id="events-query"
        type="search"
        maxLength={100}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}

function changed(search: EventsSearch, name: "query" | "from" | "to", value: string): EventsSearch {
  const { [name]: _before, ...others } = search;
  return value.trim() === "" ? others : { ...others, [name]: value };
}
