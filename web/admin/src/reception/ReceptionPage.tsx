import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { dayText, rangeText, today } from "../booking/days";
import { bookingChanged } from "../booking/queries";
import type { Reservation } from "../booking/shapes";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { Refusal } from "../members/Refusal";
import { noteAttendance } from "./queries";
import own from "./Reception.module.css";
import { codeOf } from "./search";

const route = getRouteApi("/inside/reception");

/** Opened by the camera of the reception's phone: the person is noted as come, and the next one can follow. */
export function ReceptionPage() {
  const { code = "" } = route.useSearch();
  return (
    <>
      <PageHeading title="QRコードの受付">職員のQRコードをカメラで読み取ると、この画面で「来た」と記録されます。</PageHeading>
      {code === "" ? <CodeForm /> : <Arrival key={code} code={code} />}
      <p>
        <Link to="/booking/day" search={{ date: today() }}>
          今日の受付の一覧へ
        </Link>
      </p>
    </>
  );
}

function Arrival({ code }: { code: string }) {
  const client = useQueryClient();
  const arriving = useMutation({
    mutationFn: (): Promise<Reservation> => answerOf(api.POST("/api/admin/reception", { body: { code } })),
    onSuccess: () => bookingChanged(client),
  });
  const undoing = useMutation({ mutationFn: (id: number) => noteAttendance(id, null), onSuccess: () => bookingChanged(client) });
  const begun = useRef(false);
  const { mutate } = arriving;
  // React runs effects twice while developing; a person arrives once.
  useEffect(() => {
    if (!begun.current) mutate();
    begun.current = true;
  }, [mutate]);
  if (arriving.isError) {
    return (
      <>
        <Refusal title="受付できませんでした" error={arriving.error} />
        <div className={classes.buttons} style={{ margin: "1rem 0" }}>
          <Button onClick={() => mutate()}>もう一度試す</Button>
        </div>
        <CodeForm />
      </>
    );
  }
  if (!arriving.data) return <ListSkeleton />;
  const reservation = arriving.data;
  return (
    <>
      <section className={own.result} role="status" aria-label="受付の結果">
        <p className={undoing.isSuccess ? classes.soft : own.came}>{undoing.isSuccess ? "受付を取り消しました" : "受付しました"}</p>
        <p className={own.bigName}>{reservation.fullName}さん</p>
        <p>
          {reservation.staffId}・{reservation.departmentName}
        </p>
        <p>
          {dayText(reservation.serviceDateLocal)} {rangeText(reservation)}
          <br />
          {reservation.reservationTypeName}
        </p>
        {!undoing.isSuccess && (
          <Button variant="default" loading={undoing.isPending} onClick={() => undoing.mutate(reservation.id)}>
            この受付を取り消す
          </Button>
        )}
      </section>
      {reservation.serviceDateLocal !== today() && (
        <Notice tone="warning" title="今日の予約ではありません" alert className={classes.notice}>
          日付を確かめてください。まちがいなら「この受付を取り消す」を押してください。
        </Notice>
      )}
      {undoing.isError && <Refusal title="取り消せませんでした" error={undoing.error} />}
      <CodeForm />
    </>
  );
}

/** For a reader that types like a keyboard, and for a person who reads the code out. */
function CodeForm() {
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState("");
  function submit(event: FormEvent): void {
    event.preventDefault();
    const code = codeOf(typed);
    if (code !== "") void navigate({ search: { code } });
  }
  return (
    <form className={classes.filters} style={{ marginTop: "1.25rem" }} onSubmit={submit}>
      <TextInput label="コードを入力する" size="md" autoComplete="off" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
      <Button type="submit" size="md" variant="default" className={classes.natural}>
        受付する
      </Button>
    </form>
  );
}
