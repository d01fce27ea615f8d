import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { logOut } from "../session/actions";
import { useSession } from "../session/useSession";
import classes from "./Frame.module.css";
import { LogOutIcon } from "./icons";

export function Account() {
  const { username } = useSession();
  const navigate = useNavigate();
  const leaving = useMutation({
    mutationFn: logOut,
    onSuccess: () => navigate({ to: "/login", search: { out: true } }),
  });
  return (
    <div className={classes.account}>
      <Link to="/account" className={classes.username} title={`${username ?? ""}：自分のアカウント`}>
        {username}
      </Link>
      <Button
        variant="subtle"
        size="sm"
        leftSection={<LogOutIcon />}
        loading={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        ログアウト
      </Button>
      {leaving.isError && (
        <span role="alert" className={classes.leavingFailed}>
          ログアウトできませんでした。もう一度押してください。
        </span>
      )}
    </div>
  );
}
