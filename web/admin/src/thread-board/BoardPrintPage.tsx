import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ApiError } from "../../../api/errors";
import { formatDateTime } from "../../../api/times";
import { asOfInstant } from "../event-detail/times";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PaperPage, PaperTools, Sheet } from "../paper/PaperPage";
import { boardQuery } from "../threads/queries";
import { chosenOf, columnHead, slotText } from "../threads/slot-times";
import { type Board, MARKS, peopleCount, titleOf } from "../threads/thread";
import { MissingThread } from "./MissingThread";
import classes from "./Print.module.css";

/** More columns than these do not fit on a sheet with the whole date in one line. */
const MANY = 12;
const route = getRouteApi("/inside/threads/$threadId/print");

export function BoardPrintPage() {
  const { threadId } = route.useParams();
  const { as_of } = route.useSearch();
  const asOf = as_of === undefined ? null : asOfInstant(as_of, new Date());
  const { data, error, refetch } = useQuery(boardQuery(threadId, asOf));
  if (error instanceof ApiError && error.status === 404) return <MissingThread />;
  return (
    <PaperPage
      title="回答一覧の印刷"
      lead="A4の紙を横にして、白黒で印刷します。下に見えるものが、そのまま印刷されます。"
      back={
        <Link to="/threads/$threadId" params={{ threadId }}>
          ← 日程調整に戻る
        </Link>
      }
    >
      <PaperTools button="印刷する" disabled={!data} />
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data && <BoardSheet board={data} at={asOf === null ? new Date() : new Date(asOf)} />}
    </PaperPage>
  );
}

function BoardSheet({ board, at }: { board: Board; at: Date }) {
  const { thread, slots, people, evaluation, rule } = board;
  const final = slots.find(({ slot_id }) => slot_id === evaluation.final_slot_id);
  return (
    <Sheet wide>
      <h2>{titleOf(thread)}</h2>
      <p>
        {final && <strong>決定：{slotText(final)}</strong>}
        {thread.status === "cancelled" && <strong>【中止】</strong>}
        {thread.place && <span>場所：{thread.place}</span>}
        <span>
          {peopleCount(people.length)}のうち{peopleCount(people.filter(({ responded_at }) => responded_at !== null).length)}が回答
        </span>
        <span>{formatDateTime(at)} 現在</span>
      </p>
      <p>{evaluation.sentence}</p>
      <div className={classes.board} data-many={slots.length > MANY || undefined} tabIndex={0} role="group" aria-label="回答の一覧">
        <table>
          <thead>
            <tr>
              <th scope="col">名前</th>
              {slots.map((slot) => {
                const { day, weekday, times } = columnHead(chosenOf(slot));
                return (
                  <th key={slot.slot_id} scope="col" data-final={slot === final || undefined}>
                    {slot === final && <em>決定</em>}
                    {day}（{weekday}）<small>{times}</small>
                  </th>
                );
              })}
              <th scope="col">コメント</th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={person.invitee_key}>
                <th scope="row">{person.name}</th>
                {slots.map((slot) => {
                  const mark = person.answers[slot.slot_id];
                  return (
                    <td key={slot.slot_id} data-final={slot === final || undefined}>
                      {mark === undefined ? (person.status === "declined" ? "×" : "") : MARKS[mark]}
                    </td>
                  );
                })}
                <td className={classes.comment}>{person.comment}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">○の人数</th>
              {slots.map((slot) => (
                <td key={slot.slot_id} data-final={slot === final || undefined}>
                  {slot.yes}
                  {slot.maybe > 0 && `（△${slot.maybe}）`}
                </td>
              ))}
              <td />
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={classes.foot}>
        ○：行ける　△：調整すれば行ける　×：行けない　空欄：未回答{rule && `　／　決め方：${rule.sentence}`}
      </p>
    </Sheet>
  );
}
