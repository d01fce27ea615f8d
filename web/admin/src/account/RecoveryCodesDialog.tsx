import { Button, Checkbox, CopyButton } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { Notice } from "../frame/Notice";
import dialogs from "../members/Dialogs.module.css";
import classes from "./Account.module.css";

/** They are shown once, so that the dialog stays until somebody says that they are kept. */
export function RecoveryCodesDialog({ codes, close }: { codes: string[] | null; close: () => void }) {
  return (
    <Dialog opened={codes !== null} close={null} title="回復コード" size="lg">
      {codes && <Codes codes={codes} close={close} />}
    </Dialog>
  );
}

function Codes({ codes, close }: { codes: string[]; close: () => void }) {
  const [kept, setKept] = useState(false);
  return (
    <div className={dialogs.form}>
      <Notice tone="warning" title="いま書きとめてください。二度と表示されません">
        スマートフォンをなくしたときに、認証コードの代わりに使います。1つのコードは1回だけ使えます。印刷するか紙に書いて、鍵のかかる場所に置いてください。
      </Notice>
      <ul className={classes.codes} aria-label="回復コード">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div data-screen-only className={classes.keeping}>
        <Button variant="default" size="sm" onClick={() => window.print()}>
          印刷
        </Button>
        <CopyButton value={codes.join("\n")}>
          {({ copied, copy }) => (
            <Button variant="default" size="sm" onClick={copy}>
              <span aria-live="polite">{copied ? "コピーしました" : "すべてコピー"}</span>
            </Button>
          )}
        </CopyButton>
      </div>
      <div data-screen-only>
        <Checkbox size="md" label="回復コードを控えました" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
      </div>
      <div className={dialogs.foot}>
        <Button size="md" disabled={!kept} onClick={close}>
          終わる
        </Button>
      </div>
    </div>
  );
}
