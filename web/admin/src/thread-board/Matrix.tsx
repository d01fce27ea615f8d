import { Button, TextInput } from "@mantine/core";
import { memo, type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { matches, searchKey } from "../../../api/search";
import { useIncrementalRows } from "../event-detail/people/useIncrementalRows";
import chips from "../frame/Chips.module.css";
import { chosenOf, columnHead, slotText } from "../threads/slot-times";
import { type Board, type BoardPerson, type BoardSlot, MARKS } from "../threads/thread";
import classes from "./Matrix.module.css";
import board from "./Board.module.css";
import { useFresh } from "./useFresh";
import { filtered, needsCall, type PeopleFilter, personWords } from "./words";

const ROW_REM = 3.25;
const MANY = 8;
// So many rows stand on the page as they are; more scroll inside, so that the dates stay in sight.
const FEW_ROWS = 30;

interface MatrixProps {
  board: Board;
  past: string | null;
  open: (key: string, slotId: string | null) => void;
  add: () => void;
  children: ReactNode;
}

/** People and dates with ○ △ ×. Head and names stay in sight while it scrolls in both directions. */
export function Matrix({ board: shown, past, open, add, children }: MatrixProps) {
  const { people, thread } = shown;
  const [filter, setFilter] = useState<PeopleFilter>("all");
  const [text, setText] = useState("");
  const wanted = searchKey(useDeferredValue(text));
  const fresh = useFresh(people);
  const listed = useMemo(() => filtered(people, filter).filter(({ name, email }) => matches(wanted, name, email)), [people, filter, wanted]);
  const calls = people.filter(needsCall).length;
  const unanswered = people.filter(({ responded_at }) => responded_at === null).length;
  const active = thread.status === "active" || thread.status === "draft";
  return (
    <section aria-labelledby="thread-people">
      <div className={board.panelHead}>
        <h2 id="thread-people">
          回答 <span className="figures">{people.length.toLocaleString("ja-JP")}</span>人
        </h2>
        <div className={board.panelActions}>
          {active && past === null && (
            <Button variant="default" size="sm" onClick={add}>
              人を追加
            </Button>
          )}
          {children}
        </div>
      </div>
      {people.length > MANY && (
        <div className={classes.tools}>
          <TextInput className={classes.search ?? ""} type="search" aria-label="名前で探す" placeholder="名前で探す" value={text} onChange={(event) => setText(event.currentTarget.value)} />
          <div className={chips.chips} role="group" aria-label="表示する方">
            <Chip on={filter === "all"} press={() => setFilter("all")} text="全員" />
            <Chip on={filter === "open"} press={() => setFilter("open")} text={`未回答 ${unanswered}`} />
            {calls > 0 && <Chip on={filter === "call"} press={() => setFilter("call")} text={`電話 ${calls}`} trouble />}
          </div>
        </div>
      )}
      {people.length === 0 && <p className={board.empty}>まだ、だれにも声をかけていません。「人を追加」から選んでください。</p>}
      {people.length > 0 && listed.length === 0 && <p className={board.empty}>あてはまる方はいません。</p>}
      {listed.length > 0 && <Table shown={shown} listed={listed} fresh={past === null ? fresh : NOBODY} past={past} open={open} />}
    </section>
  );
}

const NOBODY: ReadonlySet<string> = new Set();

function Chip({ on, press, text, trouble = false }: { on: boolean; press: () => void; text: string; trouble?: boolean }) {
  return (
    <button type="button" aria-pressed={on} data-trouble={trouble || undefined} onClick={press}>
      {text}
    </button>
  );
}

interface TableProps {
  shown: Board;
  listed: BoardPerson[];
  fresh: ReadonlySet<string>;
  past: string | null;
  open: (key: string, slotId: string | null) => void;
}

function Table({ shown, listed, fresh, past, open }: TableProps) {
  const { slots, evaluation, thread } = shown;
  const telling = shown.people.some(({ responded_at, can_change }) => responded_at === null && !can_change);
  const winner = evaluation.final_slot_id ?? evaluation.would_finalize_slot_id;
  const { rendered, remaining, sentinel } = useIncrementalRows(listed.length, listed);
  return (
    <div data-paper="wide" className={classes.scroll} data-few={listed.length <= FEW_ROWS || undefined} data-past={past !== null || undefined} tabIndex={0} role="group" aria-label="回答の表">
      <table className={classes.table}>
        <caption className={board.hidden}>だれがどの候補日に行けるか。○は行ける、△は調整すれば行ける、×は行けない、–は未回答です。</caption>
        <thead>
          <tr>
            <th scope="col">名前</th>
            {slots.map((slot) => (
              <SlotHead key={slot.slot_id} slot={slot} winner={slot.slot_id === winner} decided={slot.slot_id === evaluation.final_slot_id} />
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.slice(0, rendered).map((person) => (
            <Row key={person.invitee_key} person={person} slots={slots} winner={winner} fresh={fresh.has(person.invitee_key)} status={thread.status} telling={telling} open={open} />
          ))}
          {remaining > 0 && (
            <tr ref={sentinel} style={{ height: `${remaining * ROW_REM}rem` }} aria-hidden="true">
              <td colSpan={slots.length + 1} />
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">○の人数</th>
            {slots.map((slot) => (
              <td key={slot.slot_id} data-winner={slot.slot_id === winner || undefined}>
                {slot.yes}
                {slot.maybe > 0 && <small>＋△{slot.maybe}</small>}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function SlotHead({ slot, winner, decided }: { slot: BoardSlot; winner: boolean; decided: boolean }) {
  const { day, weekday, times } = columnHead(chosenOf(slot));
  return (
    <th scope="col" data-winner={winner || undefined} data-begun={slot.begun || undefined} title={slotText(slot)}>
      {decided && <em>決定</em>}
      <span>
        {day}
        <small>（{weekday}）</small>
      </span>
      <small>{times}</small>
    </th>
  );
}

interface RowProps {
  person: BoardPerson;
  slots: BoardSlot[];
  winner: string | null;
  fresh: boolean;
  status: Board["thread"]["status"];
  telling: boolean;
  open: (key: string, slotId: string | null) => void;
}

const Row = memo(function Row({ person, slots, winner, fresh, status, telling, open }: RowProps) {
  const words = personWords(person, status, telling);
  return (
    <tr className={fresh ? classes.fresh : undefined}>
      <th scope="row">
        <button type="button" className={classes.name} onClick={() => open(person.invitee_key, null)}>
          {person.name}
        </button>
        {needsCall(person) && <span className={classes.call}>電話してください</span>}
        {person.responded_at === null || words.tone === "over" ? <small data-tone={words.tone}>{words.text}</small> : null}
        {person.comment && <small className={classes.comment}>「{person.comment}」</small>}
      </th>
      {slots.map(({ slot_id, begun }) => {
        const mark = person.answers[slot_id];
        return (
          // A press leads to the answer for this date. By keyboard the name opens the same drawer.
          <td
            key={slot_id}
            data-mark={mark ?? "none"}
            data-winner={slot_id === winner || undefined}
            {...(status === "active" && !begun && { "data-opens": true, onClick: () => open(person.invitee_key, slot_id) })}
          >
            {mark === undefined ? "–" : MARKS[mark]}
          </td>
        );
      })}
    </tr>
  );
});

