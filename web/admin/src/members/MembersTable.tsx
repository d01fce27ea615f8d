import { Button } from "@mantine/core";
import { memo, useState } from "react";
import lists from "../frame/Lists.module.css";
import shared from "../frame/Table.module.css";
import { Moment } from "../frame/Moment";
import { usePrinting } from "../paper/printing";
import classes from "./MembersTable.module.css";
import type { Member } from "./queries";
import { LINK_NAMES, linkState } from "./state";

const MOST_ROWS = 1_000;

interface MembersTableProps {
  members: Member[];
  unlink: (member: Member) => void;
}

/** All of a usual roster at once, so that the browser's own search finds everybody; a huge one by the thousand. */
export function MembersTable({ members, unlink }: MembersTableProps) {
  const [most, setMost] = useState(MOST_ROWS);
  const printing = usePrinting();
  return (
    <>
      <div className={shared.panel}>
        <table className={`${shared.table} ${classes.table}`}>
          <caption className={classes.hidden}>会員名簿</caption>
          <thead>
            <tr>
              <th scope="col">表示順</th>
              <th scope="col">会員番号</th>
              <th scope="col">氏名</th>
              <th scope="col">権限</th>
              <th scope="col">LINE</th>
              <th scope="col">配信</th>
              <th scope="col">最後の連絡</th>
              <th scope="col">
                <span className={classes.hidden}>操作</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.slice(0, printing ? members.length : most).map((member) => (
              <MemberRow key={member.id} member={member} unlink={unlink} />
            ))}
          </tbody>
        </table>
      </div>
      {members.length > most && (
        <div className={lists.more}>
          <Button variant="default" size="md" onClick={() => setMost(most + MOST_ROWS)}>
            続きの{Math.min(MOST_ROWS, members.length - most).toLocaleString("ja-JP")}人も見る
          </Button>
        </div>
      )}
    </>
  );
}

const MemberRow = memo(function MemberRow({ member, unlink }: { member: Member; unlink: (member: Member) => void }) {
  const state = linkState(member);
  return (
    <tr data-withdrawn={member.withdrawn || undefined}>
      <td data-label="表示順" className={classes.number}>
        {member.display_order ?? <span className={classes.none}>なし</span>}
      </td>
      <td data-label="会員番号" className={classes.number}>
        {member.id}
      </td>
      <td className={classes.name}>
        {member.name}
        {member.withdrawn && <span className={classes.withdrawn}>退会</span>}
      </td>
      <td data-label="権限" className={classes.short}>
        {member.role === "admin" ? "管理者" : "会員"}
      </td>
      <td data-label="LINE">
        <span className={classes.state} data-state={state}>
          {LINK_NAMES[state]}
        </span>
        {member.line_display_name && <span className={classes.lineName}>{member.line_display_name}</span>}
      </td>
      <td data-label="配信" className={classes.short}>
        {member.is_target === 1 ? "対象" : <span className={classes.none}>対象外</span>}
      </td>
      <td data-label="最後の連絡">{member.last_contact_at === null ? <span className={classes.none}>なし</span> : <Moment at={member.last_contact_at} />}</td>
      <td className={classes.action}>
        {member.line_user_id_present && (
          <Button variant="default" size="xs" aria-label={`${member.name}の連携を解除`} onClick={() => unlink(member)}>
            連携を解除
          </Button>
        )}
      </td>
    </tr>
  );
});
