import { Modal } from "@mantine/core";
import { logIn } from "./actions";
import { LoginForm } from "./LoginForm";
import classes from "./LoginPage.module.css";
import { useSession } from "./useSession";

/** Stands over the page, which keeps everything that was typed into it until the person is back. */
export function ExpiredDialog() {
  const { expired, username } = useSession();
  return (
    <Modal.Root opened={expired} onClose={() => {}} closeOnClickOutside={false} closeOnEscape={false} centered zIndex={1000}>
      <Modal.Overlay />
      <Modal.Content radius="lg" data-screen-only>
        <Modal.Body className={classes.dialog ?? ""}>
          <Modal.Title className={classes.dialogTitle ?? ""}>セッションの有効期限が切れました</Modal.Title>
          <p className={classes.dialogText}>もう一度ログインすると、この画面の続きから作業できます。</p>
          <LoginForm logIn={logIn} onSuccess={() => {}} initialUsername={username ?? ""} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
