import { Button, CopyButton } from "@mantine/core";
import classes from "../account/Account.module.css";
import { Dialog } from "../audiences/Dialog";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import dialogs from "../members/Dialogs.module.css";

export interface OneTime {
  username: string;
  password: string;
  until: string;
}

export function OneTimeDialog({ given, close }: { given: OneTime | null; close: () => void }) {
  return (
    <Dialog opened={given !== null} close={close} title="一度だけ使うパスワード">
      {given && (
        <div className={dialogs.form}>
          <p>{given.username}さんに、このパスワードを伝えてください。次のログインで、本人が新しいパスワードを決めます。</p>
          <div className={classes.secret}>
            <code>{given.password}</code>
          </div>
          <CopyButton value={given.password}>
            {({ copied, copy }) => (
              <Button variant="default" size="sm" onClick={copy}>
                <span aria-live="polite">{copied ? "コピーしました" : "コピー"}</span>
              </Button>
            )}
          </CopyButton>
          <Notice tone="warning" title="二度と表示されません">
            <Moment at={given.until} /> まで使えます。電話や対面など、確かな方法で伝えてください。
          </Notice>
          <div className={dialogs.foot}>
            <Button size="md" onClick={close}>
              伝えました
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
