import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import { departmentsQuery } from "../booking/queries";
import { StaffsTabs } from "../booking/SectionTabs";
import type { Department } from "../booking/shapes";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import table from "../frame/Table.module.css";
import { DepartmentDialog } from "./DepartmentDialog";

export function DepartmentsPage() {
  const { data, isPending, error, refetch } = useQuery(departmentsQuery);
  const [editing, setEditing] = useState<Department | "new" | null>(null);
  const [deleting, setDeleting] = useState<Department | null>(null);
  return (
    <>
      <PageHeading title="部署" aside={<Button onClick={() => setEditing("new")}>部署を登録する</Button>}>
        職員の部署です。CSVの「部署(コード)」は、ここのコードで書きます。大文字と小文字、全角と半角は区別しません。
      </PageHeading>
      <StaffsTabs />
      {isPending && <ListSkeleton />}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty title="部署はまだありません">「部署を登録する」から、部署のコードと名前を登録してください。</Empty>}
      {data && data.length > 0 && <DepartmentsTable departments={data} edit={setEditing} remove={setDeleting} />}
      <DepartmentDialog editing={editing} close={() => setEditing(null)} />
      <ConfirmDialog
        opened={deleting !== null}
        close={() => setDeleting(null)}
        title="部署を削除"
        action="削除する"
        danger
        run={() => answerOf(api.DELETE("/api/admin/departments/{department_id}", { params: { path: { department_id: deleting?.id ?? "" } } }))}
      >
        <p>「{deleting?.name}」を削除しますか？ 元に戻せません。</p>
      </ConfirmDialog>
    </>
  );
}

interface DepartmentsTableProps {
  departments: readonly Department[];
  edit: (department: Department) => void;
  remove: (department: Department) => void;
}

function DepartmentsTable({ departments, edit, remove }: DepartmentsTableProps) {
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <caption className={classes.hidden}>部署</caption>
        <thead>
          <tr>
            <th scope="col">コード</th>
            <th scope="col">名前</th>
            <th scope="col">職員</th>
            <th scope="col">状態</th>
            <th scope="col">
              <span className={classes.hidden}>操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {departments.map((department) => (
            <tr key={department.id}>
              <td data-label="コード" className={classes.number}>
                {department.id}
              </td>
              <td className={classes.name}>{department.name}</td>
              <td data-label="職員">
                {department.staffCount > 0 ? (
                  <Link to="/staffs" search={{ departmentId: department.id }}>
                    {department.staffCount.toLocaleString("ja-JP")}人
                  </Link>
                ) : (
                  <span className={classes.soft}>0人</span>
                )}
              </td>
              <td data-label="状態">{department.active ? <Badge tone="good">使用中</Badge> : <Badge>使わない</Badge>}</td>
              <td className={classes.action}>
                <Button variant="subtle" size="sm" aria-label={`${department.name}を変更`} onClick={() => edit(department)}>
                  変更
                </Button>
                {department.staffCount === 0 && (
                  <Button variant="subtle" size="sm" color="var(--red)" aria-label={`${department.name}を削除`} onClick={() => remove(department)}>
                    削除
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
