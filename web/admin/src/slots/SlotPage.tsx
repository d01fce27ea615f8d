import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../../api/errors";
import { answerOf, api } from "../api/client";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import { dayText, rangeText } from "../booking/days";
import { departmentsQuery } from "../booking/queries";
import type { Slot } from "../booking/shapes";
import { SLOT_STATUS_NAMES, SLOT_TONES } from "../booking/words";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Moment } from "../frame/Moment";
import { PageHeading } from "../frame/PageHeading";
import { SlotPeople } from "../reception/SlotPeople";
import { slotQuery } from "./queries";
import { SlotDialog } from "./SlotDialog";
import { WaitingCard } from "./WaitingCard";

const route = getRouteApi("/inside/booking/slots/$slotId");

export function SlotPage() {
  const slotId = Number(route.useParams().slotId);
  const { data, error, refetch } = useQuery({ ...slotQuery(slotId), enabled: Number.isInteger(slotId) });
  const missing = !Number.isInteger(slotId) || (error instanceof ApiError && error.status === 404);
  return (
    <>
      {!data && <PageHeading title="予約枠" />}
      {missing && <Empty title="この予約枠は見つかりません">削除されたか、アドレスがまちがっているようです。カレンダーからお探しください。</Empty>}
      {error && !missing && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && !missing && <ListSkeleton />}
      {data && <Loaded slot={data} />}
    </>
  );
}

function Loaded({ slot }: { slot: Slot }) {
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <Link data-screen-only to="/booking/slots" search={{ date: slot.serviceDateLocal }} className={classes.back}>
        ← {dayText(slot.serviceDateLocal)}の予約枠へ
      </Link>
      <PageHeading
        title={`${dayText(slot.serviceDateLocal)} ${rangeText(slot)}`}
        aside={
          <div className={classes.buttons}>
            {slot.bookedCount === 0 && slot.waitingCount === 0 && (
              <Button variant="default" onClick={() => setDeleting(true)}>
                削除する
              </Button>
            )}
            <Button onClick={() => setEditing(true)}>変更する</Button>
          </div>
        }
      >
        {slot.reservationTypeName}
      </PageHeading>
      <Facts slot={slot} />
      <SlotPeople slot={slot} />
      <WaitingCard slot={slot} />
      <SlotDialog opened={editing} close={() => setEditing(false)} slot={slot} date={slot.serviceDateLocal} />
      <ConfirmDialog
        opened={deleting}
        close={() => setDeleting(false)}
        title="予約枠を削除"
        action="削除する"
        danger
        run={() => answerOf(api.DELETE("/api/admin/slots/{slot_id}", { params: { path: { slot_id: slot.id } } }))}
        done={() => void navigate({ to: "/booking/slots", search: { date: slot.serviceDateLocal } })}
      >
        <p>
          {dayText(slot.serviceDateLocal)} {rangeText(slot)}の枠を削除しますか？ 元に戻せません。
        </p>
      </ConfirmDialog>
    </>
  );
}

function Facts({ slot }: { slot: Slot }) {
  const departments = useQuery(departmentsQuery).data ?? [];
  const nameOf = (id: string) => departments.find((department) => department.id === id)?.name ?? id;
  return (
    <section className={classes.card} aria-label="予約枠の内容">
      <dl className={classes.facts}>
        <div>
          <dt>状態</dt>
          <dd>
            <Badge tone={SLOT_TONES[slot.status]}>{SLOT_STATUS_NAMES[slot.status]}</Badge>
          </dd>
        </div>
        <div>
          <dt>予約／定員</dt>
          <dd>
            <strong>{slot.bookedCount}</strong>／{slot.capacity}人{slot.seatsLeft === 0 && "（満席）"}
          </dd>
        </div>
        <div>
          <dt>受付の開始</dt>
          <dd>{slot.bookingStart ? <Moment at={slot.bookingStart} /> : "公開したときから"}</dd>
        </div>
        <div>
          <dt>受付の締め切り</dt>
          <dd>{slot.bookingEnd ? <Moment at={slot.bookingEnd} /> : "枠が始まるまで"}</dd>
        </div>
        {slot.quotas.length > 0 && (
          <div>
            <dt>部署ごとの定員</dt>
            <dd>{slot.quotas.map(({ departmentId, seats }) => `${nameOf(departmentId)} ${seats}人`).join("、")}</dd>
          </div>
        )}
        {slot.notes && (
          <div>
            <dt>備考</dt>
            <dd>{slot.notes}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
