import { Button } from "@mantine/core";
import { useState } from "react";
import classes from "../booking/Booking.module.css";
import { dayText } from "../booking/days";
import type { Staff } from "../booking/shapes";
import { fieldLabel, SEX_NAMES } from "../booking/words";
import { Notice } from "../frame/Notice";
import { EditStaffDialog } from "./EditStaffDialog";
import { sourceName } from "./state";

export function ProfileCard({ staff }: { staff: Staff }) {
  const [editing, setEditing] = useState(false);
  const facts = [
    ["氏名", staff.fullName],
    ["ふりがな", staff.fullNameKana],
    ["職員番号", staff.staffId],
    ["電子カルテの患者番号", staff.emrPatientId],
    ["部署", `${staff.departmentName}（${staff.departmentId}）`],
    ["職種", staff.jobTitle],
    ["生年月日", staff.dateOfBirth && dayText(staff.dateOfBirth).slice(0, 10)],
    ["性別", staff.sexCode && SEX_NAMES[staff.sexCode]],
    ["メールアドレス", staff.email],
    ["登録", sourceName(staff.source)],
  ] as const;
  return (
    <section className={classes.card} aria-labelledby="staff-profile">
      <div className={classes.cardHead}>
        <h2 id="staff-profile">プロフィール</h2>
        <Button variant="default" size="sm" onClick={() => setEditing(true)}>
          変更する
        </Button>
      </div>
      {staff.missing.length > 0 && (
        <Notice tone="warning" className={classes.notice}>
          {staff.missing.map(fieldLabel).join("・")}が未入力のため、本人はまだ予約できません。
        </Notice>
      )}
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || <span className={classes.soft}>未入力</span>}</dd>
          </div>
        ))}
      </dl>
      <EditStaffDialog staff={staff} opened={editing} close={() => setEditing(false)} />
    </section>
  );
}
