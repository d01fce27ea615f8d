import { Button } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import classes from "./Account.module.css";
import { accountsChanged, endAllSessions, type OwnAccount } from "./queries";
import { SessionList } from "./SessionList";

export function SessionsCard({ account }: { account: OwnAccount }) {
  const [ending, setEnding] = useState(false);
  return (
    <section className={classes.card} aria-labelledby="own-sessions">
      <h2 id="own-sessions">ログイン中の端末とAPIトークン</h2>
      <p>覚えのないものがあるときは、終了して、パスワードを変更してください。</p>
      <SessionList adminId={account.id} sessions={account.sessions} />
      {account.sessions.length > 1 && (
        <Button className={classes.foot ?? ""} variant="default" onClick={() => setEnding(true)}>
          この端末のほかを、すべて終了する
        </Button>
      )}
      <ConfirmDialog
        opened={ending}
        close={() => setEnding(false)}
        title="ほかの端末とトークンを終了"
        action="すべて終了する"
        danger
        changed={accountsChanged}
        run={() => endAllSessions(account.id)}
      >
        <p>この端末のほかの{account.sessions.length - 1}件を終了します。APIトークンを使っているプログラムは、動かなくなります。</p>
      </ConfirmDialog>
    </section>
  );
}
