import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { answerOf, api } from "../api/client";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import { session } from "../session/session";
import classes from "./Account.module.css";
import { ProofDialog } from "./ProofDialog";
import type { OwnAccount } from "./queries";
import { RecoveryCodesDialog } from "./RecoveryCodesDialog";
import { type TotpDraft, TotpDialog } from "./TotpDialog";

type Asked = "set-up" | "codes" | "off" | null;

const FEW_CODES = 3;
const withPassword = (current_password: string) => ({ body: { current_password } });

export function TotpCard({ account }: { account: OwnAccount }) {
  const [asked, setAsked] = useState<Asked>(null);
  const [draft, setDraft] = useState<TotpDraft | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => setAsked(null);
  const on = account.totp_since !== null;
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOn = useRef(on);
  // The button that switched it off is gone, so the keyboard goes on from the heading.
  useEffect(() => {
    if (wasOn.current && !on) heading.current?.focus();
    wasOn.current = on;
  }, [on]);
  /** Somebody who had to set it up goes on to the home screen, with all menus. The account says by now that nothing is left to do. */
  const finish = () => (session.nextStep === null ? setCodes(null) : window.location.assign("/admin/"));
  return (
    <section className={classes.card} aria-labelledby="own-totp">
      <div className={classes.head}>
        <h2 id="own-totp" ref={heading} tabIndex={-1}>
          二段階認証
        </h2>
        <span className={classes.badge} data-tone={on ? "good" : undefined}>
          {on ? "オン" : "オフ"}
        </span>
      </div>
      <p>
        ログインのときに、パスワードのほかに、スマートフォンの認証アプリに出る6桁の数字を入れます。パスワードを知られても、それだけでは入れなくなります。
      </p>
      {account.totp_since !== null && (
        <p>
          <Moment at={account.totp_since} /> から使っています。回復コードは、あと{account.recovery_codes_left}個です。
        </p>
      )}
      {on && account.recovery_codes_left < FEW_CODES && (
        <Notice tone="warning" className={classes.notice} title="回復コードが少なくなっています">
          スマートフォンをなくしたときに入れなくならないよう、作り直してください。
        </Notice>
      )}
      <div className={classes.row}>
        <Button variant={on ? "default" : "filled"} onClick={() => setAsked("set-up")}>
          {on ? "別のスマートフォンに切り替える" : "二段階認証を設定する"}
        </Button>
        {on && (
          <Button variant="default" onClick={() => setAsked("codes")}>
            回復コードを作り直す
          </Button>
        )}
        {on && !account.totp_required && (
          <Button variant="subtle" color="var(--red)" onClick={() => setAsked("off")}>
            オフにする
          </Button>
        )}
      </div>
      <ProofDialog
        opened={asked === "set-up"}
        close={close}
        title="二段階認証の設定"
        action="次へ"
        run={(password) => answerOf(api.POST("/api/admin/account/totp", withPassword(password)))}
        done={setDraft}
      >
        <p>はじめに、本人であることを確かめます。スマートフォンに認証アプリ（Google Authenticator、Microsoft Authenticator など）を用意してください。</p>
      </ProofDialog>
      <ProofDialog
        opened={asked === "codes"}
        close={close}
        title="回復コードを作り直す"
        action="作り直す"
        run={(password) => answerOf(api.POST("/api/admin/account/recovery-codes", withPassword(password)))}
        done={(made) => setCodes(made.codes)}
      >
        <p>いままでの回復コードは、すべて使えなくなります。</p>
      </ProofDialog>
      <ProofDialog
        opened={asked === "off"}
        close={close}
        title="二段階認証をオフにする"
        action="オフにする"
        danger
        run={(password) => answerOf(api.POST("/api/admin/account/totp/removal", withPassword(password)))}
        done={() => {}}
      >
        <p>パスワードだけでログインできるようになります。回復コードも使えなくなります。</p>
      </ProofDialog>
      <TotpDialog
        draft={draft}
        close={() => setDraft(null)}
        done={(made) => {
          setDraft(null);
          setCodes(made);
        }}
      />
      <RecoveryCodesDialog codes={codes} close={finish} />
    </section>
  );
}
