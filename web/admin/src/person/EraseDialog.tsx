import { useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey } from "../../../api/idempotency-key";
import { answerOf, api } from "../api/client";
import booking from "../booking/Booking.module.css";
import { ReasonDialog } from "../booking/ReasonDialog";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import classes from "./Person.module.css";
import { decisionsChanged, type ErasurePlan, erasureQuery, type PersonPageData } from "./queries";
import { FATE_NAMES, KIND_NAMES, nameOf } from "./words";

interface EraseDialogProps {
  person: PersonPageData;
  opened: boolean;
  close: () => void;
  done: (text: string) => void;
}

/** What would go and what would stay, and only then the button. The server refuses if it has changed meanwhile. */
export function EraseDialog({ person, opened, close, done }: EraseDialogProps) {
  const client = useQueryClient();
  const { kind, id } = person;
  const { data: plan, error, refetch, isFetching } = useQuery({ ...erasureQuery(person), enabled: opened });
  const rows = plan?.tables.reduce((sum, table) => sum + table.rows, 0) ?? 0;
  const ready = plan !== undefined && !isFetching && plan.obstacles.length === 0;
  const erase = (reason: string) =>
    answerOf(
      api.POST("/api/admin/people/{kind}/{id}/erasure", {
        params: { path: { kind, id } },
        headers: { "Idempotency-Key": newIdempotencyKey() },
        body: { reason, expected_rows: rows },
      }),
    ).finally(() => decisionsChanged(client));
  return (
    <ReasonDialog
      opened={opened}
      close={close}
      title={`${nameOf(person)}の個人データを消去`}
      usual={["本人からの申し出", "保存期間を過ぎたため"]}
      label="消去する理由"
      action="消去する"
      danger
      ready={ready}
      run={erase}
      done={() => done("個人データを消去しました。")}
    >
      {error && !plan && <Failure error={error} retry={() => void refetch()} />}
      {!plan && !error && <ListSkeleton />}
      {plan && <Plan plan={plan} />}
    </ReasonDialog>
  );
}

function Plan({ plan }: { plan: ErasurePlan }) {
  return (
    <>
      <p>
        対象の記録: <strong>{plan.records.map((record) => `${KIND_NAMES[record.kind]} ${nameOf(record)}`).join("、")}</strong>
      </p>
      {plan.obstacles.map((obstacle) => (
        <Notice key={obstacle} tone="warning" title="いまは消去できません">
          {obstacle}
        </Notice>
      ))}
      {plan.shared_line && plan.obstacles.length === 0 && <Notice tone="info">同じLINEをほかの方の記録も使っているため、LINEの記録は残ります。</Notice>}
      <table className={classes.plan}>
        <caption className={booking.hidden}>消去で変わる記録</caption>
        <thead>
          <tr>
            <th scope="col">記録</th>
            <th scope="col">件数</th>
            <th scope="col">消去すると</th>
          </tr>
        </thead>
        <tbody>
          {plan.tables.map((table) => (
            <tr key={`${table.table} ${table.title}`}>
              <th scope="row">{table.title}</th>
              <td className="figures">{table.rows.toLocaleString("ja-JP")}</td>
              <td>{FATE_NAMES[table.fate]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Notice tone="warning">消去した名前・連絡先・文章は、元に戻せません。出欠などの人数、操作履歴、これまでのバックアップは残ります。名簿のシートの行は、別に消してください。</Notice>
    </>
  );
}
