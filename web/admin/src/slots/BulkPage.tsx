import { getRouteApi, Link } from "@tanstack/react-router";
import { Activity } from "react";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { PageHeading } from "../frame/PageHeading";
import { BulkForm } from "./BulkForm";
import { PlanPreview } from "./PlanPreview";
import { type BulkBody, usePlan } from "./usePlan";

const route = getRouteApi("/inside/booking/slots/new");

/** Many slots at once. The form stays as it was filled in while its result is looked at. */
export function BulkPage() {
  const { date, type } = route.useSearch();
  const planning = usePlan<BulkBody>((body, headers) => answerOf(api.POST("/api/admin/slots/bulk", { body, headers })));
  return (
    <>
      <Link data-screen-only to="/booking" search={{}} className={classes.back}>
        ← カレンダーへ
      </Link>
      <PageHeading title="枠をまとめて作る">期間・曜日・時間を決めると、予約枠をまとめて作れます。作る前に、日ごとの一覧で確かめられます。</PageHeading>
      <Activity mode={planning.plan ? "hidden" : "visible"}>
        <BulkForm date={date} type={type} preview={planning.preview} busy={planning.previewing} error={planning.previewError} />
      </Activity>
      {planning.plan && <PlanPreview plan={planning.plan} busy={planning.applying} error={planning.applyError} apply={planning.apply} change={planning.reset} />}
    </>
  );
}
