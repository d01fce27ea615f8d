import { useQuery } from "@tanstack/react-query";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import classes from "./Account.module.css";
import { PasswordCard } from "./PasswordCard";
import { accountQuery } from "./queries";
import { SessionsCard } from "./SessionsCard";
import { TotpCard } from "./TotpCard";

export function AccountPage() {
  const { data: account, isPending, error, refetch } = useQuery(accountQuery);
  const step = account?.next_step ?? null;
  return (
    <>
      <PageHeading title="自分のアカウント">{account && `「${account.username}」としてログインしています。`}</PageHeading>
      {isPending && <ListSkeleton />}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {step === "password" && (
        <Notice tone="warning" title="新しいパスワードを決めてください" className={classes.notice}>
          いまのパスワードは、一度だけ使うためのものです。変更すると、ほかの画面も使えるようになります。
        </Notice>
      )}
      {step === "totp" && (
        <Notice tone="warning" title="二段階認証を設定してください" className={classes.notice}>
          この団体では、管理者全員に二段階認証をお願いしています。設定すると、ほかの画面も使えるようになります。
        </Notice>
      )}
      {account && step !== "totp" && <PasswordCard username={account.username} forced={step === "password"} />}
      {account && step !== "password" && <TotpCard account={account} />}
      {account && step === null && <SessionsCard account={account} />}
    </>
  );
}
