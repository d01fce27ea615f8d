import { Link } from "@tanstack/react-router";
import { memo } from "react";
import classes from "../booking/Booking.module.css";
import type { Staff } from "../booking/shapes";
import { Moment } from "../frame/Moment";
import table from "../frame/Table.module.css";
import { StaffBadges } from "./StaffBadges";
import own from "./Staffs.module.css";

export function StaffsTable({ staffs }: { staffs: Staff[] }) {
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <caption className={classes.hidden}>職員</caption>
        <thead>
          <tr>
            <th scope="col">職員番号</th>
            <th scope="col">氏名</th>
            <th scope="col">部署</th>
            <th scope="col">職種</th>
            <th scope="col">状態</th>
            <th scope="col">最後のログイン</th>
          </tr>
        </thead>
        <tbody>
          {staffs.map((staff) => (
            <StaffRow key={staff.staffUid} staff={staff} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const StaffRow = memo(function StaffRow({ staff }: { staff: Staff }) {
  return (
    <tr>
      <td data-label="職員番号" className={classes.number}>
        {staff.staffId}
      </td>
      <td className={classes.name}>
        <Link to="/staffs/$staffUid" params={{ staffUid: staff.staffUid }}>
          {staff.fullName || "（氏名なし）"}
        </Link>
        {staff.fullNameKana && <small>{staff.fullNameKana}</small>}
      </td>
      <td data-label="部署" className={own.text}>{staff.departmentName}</td>
      <td data-label="職種" className={own.text}>{staff.jobTitle}</td>
      <td data-label="状態">
        <StaffBadges staff={staff} />
      </td>
      <td data-label="最後のログイン">{staff.lastLoginAt === null ? <span className={classes.soft}>なし</span> : <Moment at={staff.lastLoginAt} />}</td>
    </tr>
  );
});
