import { Paper } from "@mantine/core";
import markUrl from "../../../brand/mark.svg";
import { Notice } from "../frame/Notice";
import { useDocumentTitle } from "../frame/PageHeading";
import { logIn } from "./actions";
import { LoginForm } from "./LoginForm";
import classes from "./LoginPage.module.css";

interface LoginPageProps {
  loggedOut: boolean;
  onSuccess: () => void;
}

export function LoginPage({ loggedOut, onSuccess }: LoginPageProps) {
  useDocumentTitle("ログイン");
  return (
    <main className={classes.page}>
      <div className={classes.brand}>
        <img src={markUrl} alt="" width="52" height="52" />
        <h1>
          集い <span className={classes.sub}>管理画面</span>
        </h1>
      </div>
      <Paper className={classes.card} withBorder radius="lg">
        {loggedOut && (
          <Notice tone="success" className={classes.notice}>
            ログアウトしました。
          </Notice>
        )}
        <LoginForm logIn={logIn} onSuccess={onSuccess} />
      </Paper>
      <p className={classes.help}>パスワードをお忘れのときは、ほかの管理者か、システムの担当者にお問い合わせください。</p>
    </main>
  );
}
