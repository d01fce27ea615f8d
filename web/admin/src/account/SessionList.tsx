import { Button } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import { Moment } from "../frame/Moment";
import classes from "./Account.module.css";
import { accountsChanged, endSession, type OpenSession } from "./queries";
import { sessionName } from "./words";

export function SessionList({ adminId, sessions }: { adminId: number; sessions: OpenSession[] }) {
  const [ending, setEnding] = useState<OpenSession | null>(null);
  if (sessions.length === 0) return <p>ログイン中の端末も、APIトークンもありません。</p>;
  return (
    <>
      <ul className={classes.sessions}>
        {sessions.map((session) => (
          <li key={session.id}>
            <div className={classes.session}>
              <strong>{sessionName(session)}</strong>
              {session.kind === "token" && <span className={classes.badge}>APIトークン</span>}
              {session.current && (
                <span className={classes.badge} data-tone="good">
                  この端末
                </span>
              )}
              <small>
                <span>
                  {session.kind === "token" ? "作成" : "ログイン"} <Moment at={session.created_at} />
                </span>
                <span>最後の利用 {session.last_used_at === null ? "なし" : <Moment at={session.last_used_at} />}</span>
                {session.address !== null && <span>{session.address}</span>}
              </small>
            </div>
            {!session.current && (
              <Button variant="default" size="sm" aria-label={`${sessionName(session)}を終了`} onClick={() => setEnding(session)}>
                終了
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={ending !== null}
        close={() => setEnding(null)}
        title={ending?.kind === "token" ? "APIトークンを終了" : "ログインを終了"}
        action="終了する"
        danger
        changed={accountsChanged}
        run={() => endSession(adminId, ending?.id ?? "")}
      >
        <p>
          「{ending && sessionName(ending)}」を終了します。
          {ending?.kind === "token" ? "このトークンを使っているプログラムは、動かなくなります。" : "その端末では、もう一度ログインが必要になります。"}
        </p>
      </ConfirmDialog>
    </>
  );
}
