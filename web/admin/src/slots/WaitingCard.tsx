import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import classes from "../booking/Booking.module.css";
import type { Slot } from "../booking/shapes";
import { skippedText } from "../booking/words";
import { Failure } from "../frame/Failure";
import { Moment } from "../frame/Moment";
import table from "../frame/Table.module.css";
import { waitingQuery } from "./queries";

/** Who waits for a seat, in the order in which they get one, and why somebody was passed over. */
export function WaitingCard({ slot }: { slot: Slot }) {
  const { data, error, refetch } = useQuery(waitingQuery(slot.id));
  return (
    <section aria-labelledby="waiting" style={{ marginTop: "1.5rem" }}>
      <h2 id="waiting" style={{ marginBottom: "0.625rem" }}>
        キャンセル待ち
      </h2>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data?.length === 0 && <p className={classes.emptyLine}>待っている方はいません。</p>}
      {data && data.length > 0 && (
        <div className={table.panel}>
          <table className={table.table}>
            <caption className={classes.hidden}>キャンセル待ち</caption>
            <thead>
              <tr>
                <th scope="col">順番</th>
                <th scope="col">氏名</th>
                <th scope="col">職員番号</th>
                <th scope="col">申し込み</th>
                <th scope="col">見送られた理由</th>
              </tr>
            </thead>
            <tbody>
              {data.map((place, index) => (
                <tr key={place.id}>
                  <td data-label="順番" className={classes.number}>
                    {index + 1}
                  </td>
                  <td className={classes.name}>
                    <Link to="/staffs/$staffUid" params={{ staffUid: place.staffUid }}>
                      {place.fullName}
                    </Link>
                  </td>
                  <td data-label="職員番号" className={classes.number}>
                    {place.staffId}
                  </td>
                  <td data-label="申し込み">
                    <Moment at={place.createdAt} />
                  </td>
                  <td>{place.skippedBecause === null ? <span className={classes.soft}>なし</span> : skippedText(place.skippedBecause)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
