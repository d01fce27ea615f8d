import { Button, Drawer } from "@mantine/core";
import { useState } from "react";
import { accountsChanged, endAllSessions, type ManagedAccount } from "../account/queries";
import { SessionList } from "../account/SessionList";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import { AdminState } from "./AdminState";
import type { OneTime } from "./OneTimeDialog";

type Asked = "reset" | "disable" | "enable" | "revoke" | "totp" | null;

interface AdminDrawerProps {
  admin: ManagedAccount | undefined;
  close: () => void;
  given: (password: OneTime) => void;
}

/** What another administrator can do for, or against, somebody. */
export function AdminDrawer({ admin, close, given }: AdminDrawerProps) {
  return (
    <Drawer
      opened={admin !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title={<strong>{admin?.username ?? ""}</strong>}
      closeButtonProps={{ "aria-label": "閉じる" }}
    >
      {admin && <Details admin={admin} given={given} />}
    </Drawer>
  );
}

function Details({ admin, given }: Pick<AdminDrawerProps, "given"> & { admin: ManagedAccount }) {
  const [asked, setAsked] = useState<Asked>(null);
  const params = { params: { path: { admin_id: admin.id } } };
  const common = { close: () => setAsked(null), changed: accountsChanged };
  const { username } = admin;
  return (
    <>
      <dl className={classes.facts}>
        <div>
          <dt>状態</dt>
          <dd>
            <AdminState admin={admin} />
          </dd>
        </div>
        <div>
          <dt>登録</dt>
          <dd>
            <Moment at={admin.created_at} />
          </dd>
        </div>
        <div>
          <dt>二段階認証</dt>
          <dd>{admin.has_totp ? "オン" : "オフ"}</dd>
        </div>
        {admin.disabled_at !== null && (
          <div>
            <dt>無効にした日時</dt>
            <dd>
              <Moment at={admin.disabled_at} />
            </dd>
          </div>
        )}
        {admin.one_time_until !== null && (
          <div>
            <dt>初期パスワードの期限</dt>
            <dd>
              <Moment at={admin.one_time_until} />
            </dd>
          </div>
        )}
      </dl>
      <h2 style={{ margin: "1.25rem 0 0.625rem" }}>ログイン中の端末とAPIトークン</h2>
      <SessionList adminId={admin.id} sessions={admin.sessions} />
      <h2 style={{ margin: "1.5rem 0 0.625rem" }}>操作</h2>
      <div className={classes.buttons}>
        {admin.sessions.length > 0 && (
          <Button variant="default" onClick={() => setAsked("revoke")}>
            すべてのログインを終了する
          </Button>
        )}
        <Button variant="default" onClick={() => setAsked("reset")}>
          パスワードを再発行する
        </Button>
        {admin.has_totp && (
          <Button variant="default" onClick={() => setAsked("totp")}>
            二段階認証を解除する
          </Button>
        )}
        {admin.disabled_at === null ? (
          <Button variant="default" color="var(--red)" onClick={() => setAsked("disable")}>
            無効にする
          </Button>
        ) : (
          <Button onClick={() => setAsked("enable")}>有効にする</Button>
        )}
      </div>
      <ConfirmDialog
        {...common}
        opened={asked === "revoke"}
        title="すべてのログインを終了"
        action="すべて終了する"
        danger
        run={() => endAllSessions(admin.id)}
      >
        <p>{username}さんのログインとAPIトークンを、すべて終了します。本人は、もう一度ログインできます。</p>
      </ConfirmDialog>
      <ConfirmDialog
        {...common}
        opened={asked === "reset"}
        title="パスワードを再発行"
        action="再発行する"
        danger
        run={async () => given(await answerOf(api.POST("/api/admin/accounts/{admin_id}/password-reset", params)))}
      >
        <p>
          {username}さんに、一度だけ使うパスワードを作ります。本人は、次のログインで新しいパスワードを決めます。いまのパスワードとログイン、APIトークンは使えなくなります。
        </p>
        <Notice tone="info">電話や対面で本人を確かめてから、再発行してください。</Notice>
      </ConfirmDialog>
      <ConfirmDialog
        {...common}
        opened={asked === "totp"}
        title="二段階認証を解除"
        action="解除する"
        danger
        run={() => answerOf(api.POST("/api/admin/accounts/{admin_id}/totp-removal", params))}
      >
        <p>{username}さんが、パスワードだけでログインできるようになります。スマートフォンをなくしたと言われたときは、本人を確かめてください。</p>
      </ConfirmDialog>
      <ConfirmDialog
        {...common}
        opened={asked === "disable"}
        title="管理者を無効にする"
        action="無効にする"
        danger
        run={() => answerOf(api.POST("/api/admin/accounts/{admin_id}/disable", params))}
      >
        <p>{username}さんは、すぐに管理画面に入れなくなります。APIトークンも終了します。操作履歴と、作ったものは残ります。</p>
      </ConfirmDialog>
      <ConfirmDialog
        {...common}
        opened={asked === "enable"}
        title="管理者を有効にする"
        action="有効にする"
        run={() => answerOf(api.POST("/api/admin/accounts/{admin_id}/enable", params))}
      >
        <p>{username}さんが、いままでのパスワードでログインできるようになります。</p>
      </ConfirmDialog>
    </>
  );
}
