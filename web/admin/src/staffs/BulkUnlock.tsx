import { Button } from "@mantine/core";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { ReasonDialog } from "../booking/ReasonDialog";
import type { Staff } from "../booking/shapes";

export const UNLOCK_REASONS = ["本人からの申し出（窓口で本人を確認）", "本人からの電話（所属長に確認）"] as const;

/** Everybody of the list that is shown: narrowing the list by department or name chooses whom to unlock. */
export function BulkUnlock({ staffs, more }: { staffs: readonly Staff[]; more: boolean }) {
  const [asking, setAsking] = useState(false);
  const locked = staffs.filter((staff) => staff.locked);
  if (locked.length === 0) return null;
  return (
    <div className={classes.toolbar}>
      <Button variant="default" onClick={() => setAsking(true)}>
        表示中の{locked.length.toLocaleString("ja-JP")}人のロックを解除する
      </Button>
      {more && <p>続きの方は「もっと見る」で表示すると、対象に加わります。</p>}
      <ReasonDialog
        opened={asking}
        close={() => setAsking(false)}
        title="ロックをまとめて解除"
        usual={UNLOCK_REASONS}
        action={`${locked.length.toLocaleString("ja-JP")}人のロックを解除する`}
        run={(reason) => answerOf(api.POST("/api/admin/staffs/unlock", { body: { staffUids: locked.map((staff) => staff.staffUid), reason } }))}
      >
        <p>
          {locked
            .slice(0, 5)
            .map((staff) => staff.fullName)
            .join("、")}
          {locked.length > 5 && `ほか${(locked.length - 5).toLocaleString("ja-JP")}人`}
          のロックを解除します。暗証番号は変わりません。
        </p>
      </ReasonDialog>
    </div>
  );
}
