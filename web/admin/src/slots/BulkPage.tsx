import { getRouteApi } from "@tanstack/react-router";
import { answerOf, api } from "../api/client";
import { useSession } from "../session/useSession";
import { BulkForm } from "./BulkForm";
import { bulkBody, bulkDraft, bulkStore } from "./plan-drafts";
import { PlanPage } from "./PlanPage";
import type { BulkBody } from "./usePlan";

const route = getRouteApi("/inside/booking/slots/new");

export function BulkPage() {
  const { username } = useSession();
  const { step, ...given } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PlanPage
      // The form belongs to the person who logged in.
      key={username}
      title="枠をまとめて作る"
      lead="期間・曜日・時間を決めると、予約枠をまとめて作れます。作る前に、日ごとの一覧で確かめられます。入力した内容は、作り終えるまでこのパソコンに保存されます。"
      store={bulkStore}
      blank={() => bulkDraft(given.date, given.type)}
      bodyOf={bulkBody}
      request={(body: BulkBody, headers) => answerOf(api.POST("/api/admin/slots/bulk", { body, headers }))}
      step={step}
      go={(to, replace = false) => void navigate({ search: { ...given, ...(to && { step: to }) }, replace })}
      form={(props) => <BulkForm {...props} />}
    />
  );
}
