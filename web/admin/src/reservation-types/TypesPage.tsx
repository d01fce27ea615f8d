import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import { typesQuery } from "../booking/queries";
import { BookingTabs } from "../booking/SectionTabs";
import type { ReservationType } from "../booking/shapes";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import table from "../frame/Table.module.css";
import { rulesInWords } from "./rules";
import { TypeDialog } from "./TypeDialog";

export function TypesPage() {
  const { data, isPending, error, refetch } = useQuery(typesQuery);
  const [editing, setEditing] = useState<ReservationType | "new" | null>(null);
  const [deleting, setDeleting] = useState<ReservationType | null>(null);
  return (
    <>
      <PageHeading title="予約の種類" aside={<Button onClick={() => setEditing("new")}>種類を作る</Button>}>
        「職員健診」「インフルエンザ予防接種」のように、何の予約かを決めます。回数や締め切りの決まりも、種類ごとです。
      </PageHeading>
      <BookingTabs />
      {isPending && <ListSkeleton />}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty title="予約の種類はまだありません">「種類を作る」から始めてください。種類を作ると、予約枠を作れるようになります。</Empty>}
      {data && data.length > 0 && (
        <div className={table.panel}>
          <table className={table.table}>
            <caption className={classes.hidden}>予約の種類</caption>
            <thead>
              <tr>
                <th scope="col">名前</th>
                <th scope="col">決まり</th>
                <th scope="col">予約枠</th>
                <th scope="col">状態</th>
                <th scope="col">
                  <span className={classes.hidden}>操作</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((type) => (
                <tr key={type.id}>
                  <td className={classes.name}>
                    {type.name}
                    {type.description && <small>{type.description}</small>}
                  </td>
                  <td>{rulesInWords(type).join("・")}</td>
                  <td data-label="予約枠" className={classes.number}>
                    {type.slotCount.toLocaleString("ja-JP")}
                  </td>
                  <td data-label="状態">{type.active ? <Badge tone="good">使用中</Badge> : <Badge>使わない</Badge>}</td>
                  <td className={classes.action}>
                    <Button variant="subtle" size="sm" aria-label={`${type.name}を変更`} onClick={() => setEditing(type)}>
                      変更
                    </Button>
                    {type.slotCount === 0 && (
                      <Button variant="subtle" size="sm" color="var(--red)" aria-label={`${type.name}を削除`} onClick={() => setDeleting(type)}>
                        削除
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <TypeDialog editing={editing} close={() => setEditing(null)} />
      <ConfirmDialog
        opened={deleting !== null}
        close={() => setDeleting(null)}
        title="予約の種類を削除"
        action="削除する"
        danger
        run={() => answerOf(api.DELETE("/api/admin/reservation-types/{type_id}", { params: { path: { type_id: deleting?.id ?? 0 } } }))}
      >
        <p>「{deleting?.name}」を削除しますか？ 元に戻せません。</p>
      </ConfirmDialog>
    </>
  );
}
