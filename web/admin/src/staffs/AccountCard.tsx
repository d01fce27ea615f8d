import { Button } from "@mantine/core";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import { ReasonDialog } from "../booking/ReasonDialog";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import { UNLOCK_REASONS } from "./BulkUnlock";
import type { StaffDetail } from "./queries";
import { RecentLogins } from "./RecentLogins";
import { isUnconfirmed } from "./state";

type Asked = "unlock" | "reset" | "confirm" | "unlink" | "mask" | null;

const RESET_REASONS = ["本人が暗証番号を忘れたため（窓口で本人を確認）", "初回ログインの期限が過ぎたため"] as const;
const MASK_REASONS = ["退職から保存期間が過ぎたため"] as const;

/** How the person logs in, and what the office can do about it. */
export function AccountCard({ staff }: { staff: StaffDetail }) {
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  const params = { params: { path: { staff_uid: staff.staffUid } } };
  const masked = Boolean(staff.maskedAt);
  return (
    <section className={classes.card} aria-labelledby="staff-account">
      <h2 id="staff-account">ログイン</h2>
      {staff.locked && (
        <Notice tone="danger" className={classes.notice} title="ロック中です">
          暗証番号を続けてまちがえたため、正しい暗証番号でもログインできません。
        </Notice>
      )}
      {isUnconfirmed(staff) && (
        <Notice tone="warning" className={classes.notice} title="本人が登録しました">
          この職員番号の方にまちがいないか、確認してください。
        </Notice>
      )}
      <dl className={classes.facts}>
        <Fact name="暗証番号（PIN）">{staff.pinMustChange ? "暗証番号が初期のまま" : "本人が設定済み"}</Fact>
        {staff.pinMustChange && staff.activateUntil && (
          <Fact name="初期の暗証番号が使える期限">
            <Moment at={staff.activateUntil} />
          </Fact>
        )}
        <Fact name="最後のログイン">{staff.lastLoginAt ? <Moment at={staff.lastLoginAt} /> : "まだありません"}</Fact>
        <Fact name="ログイン中の端末">{staff.liveSessions}台</Fact>
        <Fact name="LINE">{staff.lineLinked ? "連携済み" : "未連携"}</Fact>
      </dl>
      <RecentLogins sessions={staff.sessions} />
      <div className={classes.buttons} style={{ marginTop: "1rem" }}>
        {staff.locked && <Button onClick={() => setAsked("unlock")}>ロックを解除する</Button>}
        {isUnconfirmed(staff) && <Button onClick={() => setAsked("confirm")}>確認済みにする</Button>}
        {!masked && (
          <Button variant="default" onClick={() => setAsked("reset")}>
            暗証番号を初期化する
          </Button>
        )}
        {staff.lineLinked && (
          <Button variant="default" onClick={() => setAsked("unlink")}>
            LINEの連携を解除する
          </Button>
        )}
        {staff.status === "left" && !masked && (
          <Button variant="default" onClick={() => setAsked("mask")}>
            個人情報を消す
          </Button>
        )}
      </div>
      <ReasonDialog
        opened={asked === "unlock"}
        close={close}
        title="ロックを解除"
        usual={UNLOCK_REASONS}
        action="ロックを解除する"
        run={(reason) => answerOf(api.POST("/api/admin/staffs/{staff_uid}/unlock", { ...params, body: { reason } }))}
      >
        <p>{staff.fullName}さんが、いままでの暗証番号でログインできるようになります。</p>
      </ReasonDialog>
      <ReasonDialog
        opened={asked === "reset"}
        close={close}
        title="暗証番号を初期化"
        usual={RESET_REASONS}
        action="暗証番号を初期化する"
        danger
        run={(reason) => answerOf(api.POST("/api/admin/staffs/{staff_uid}/pin-reset", { ...params, body: { reason } }))}
      >
        <p>
          {staff.fullName}さんの暗証番号を「0000」に戻します。本人はすべての端末からログアウトし、次のログインで新しい暗証番号を決めます。ロックも解除されます。
        </p>
      </ReasonDialog>
      <ReasonDialog
        opened={asked === "mask"}
        close={close}
        title="個人情報を消す"
        usual={MASK_REASONS}
        action="個人情報を消す"
        danger
        run={(reason) => answerOf(api.POST("/api/admin/staffs/{staff_uid}/mask", { ...params, body: { reason } }))}
      >
        <Notice tone="danger" title="元に戻せません">
          {staff.fullName}さんの氏名・ふりがな・生年月日・患者番号を消します。予約の記録は、だれのものかわからない形で残ります。
        </Notice>
      </ReasonDialog>
      <ConfirmDialog
        opened={asked === "confirm"}
        close={close}
        title="自己登録の確認"
        action="確認済みにする"
        run={() => answerOf(api.POST("/api/admin/staffs/{staff_uid}/confirm", params))}
      >
        <p>
          職員番号{staff.staffId}は{staff.fullName}さんにまちがいありませんか。
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === "unlink"}
        close={close}
        title="LINEの連携を解除"
        action="連携を解除する"
        danger
        run={() => answerOf(api.DELETE("/api/admin/staffs/{staff_uid}/line-link", params))}
      >
        <p>{staff.fullName}さんに、LINEで予約のお知らせが届かなくなります。本人がもう一度連携できます。</p>
      </ConfirmDialog>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
