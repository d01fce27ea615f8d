import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { dayText, rangeText } from "../booking/days";
import { ReasonDialog } from "../booking/ReasonDialog";
import { SearchField } from "../booking/SearchField";
import type { Slot } from "../booking/shapes";
import { IdempotencyKeys } from "../event-detail/actions/idempotency-keys";
import { staffsQuery } from "../staffs/queries";
import own from "./Reception.module.css";

const USUAL = ["電話での依頼", "窓口での依頼", "所属長からの依頼"] as const;

/** The office takes a seat for somebody, also outside the time in which people book themselves. */
export function BookDialog({ slot, opened, close }: { slot: Slot; opened: boolean; close: () => void }) {
  const [keys] = useState(() => new IdempotencyKeys());
  const [words, setWords] = useState("");
  const [staffUid, setStaffUid] = useState("");
  const leave = () => {
    setWords("");
    setStaffUid("");
    close();
  };
  return (
    <ReasonDialog
      opened={opened}
      close={leave}
      title="代わりに予約"
      usual={USUAL}
      action="予約する"
      ready={staffUid !== ""}
      run={(reason) => {
        const body = { staffUid, slotId: slot.id, reason };
        return answerOf(api.POST("/api/admin/reservations", { body, headers: { "Idempotency-Key": keys.keyFor(body) } }));
      }}
    >
      <p>
        {dayText(slot.serviceDateLocal)} {rangeText(slot)}「{slot.reservationTypeName}」（残り{slot.seatsLeft}席）
      </p>
      <SearchField label="職員を探す" placeholder="氏名・ふりがな・職員番号" value={words} search={setWords} />
      {words !== "" && <Found words={words} staffUid={staffUid} choose={setStaffUid} />}
    </ReasonDialog>
  );
}

function Found({ words, staffUid, choose }: { words: string; staffUid: string; choose: (staffUid: string) => void }) {
  const query = useInfiniteQuery(staffsQuery({ q: words, status: "active" }));
  const people = query.data?.pages[0]?.items ?? [];
  if (query.isSuccess && people.length === 0) return <p className={classes.emptyLine}>あてはまる職員はいません。</p>;
  return (
    <ul className={own.found} aria-label="見つかった職員">
      {people.map((staff) => (
        <li key={staff.staffUid}>
          <label>
            <input type="radio" name="staff" checked={staffUid === staff.staffUid} onChange={() => choose(staff.staffUid)} />
            <span>{staff.fullName}</span>
            <small>
              {staff.staffId}・{staff.departmentName}
            </small>
          </label>
        </li>
      ))}
    </ul>
  );
}
