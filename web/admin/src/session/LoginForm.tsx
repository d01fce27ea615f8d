import { Button, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import { LoginAlert } from "./LoginAlert";
import { PasswordField } from "./PasswordField";
import { asksForCode, type LoginProblem, loginProblem } from "./loginErrors";
import { useCountdown } from "./useCountdown";

interface LoginFormProps {
  logIn: (username: string, password: string, code?: string) => Promise<void>;
  onSuccess: () => void;
  initialUsername?: string;
}

export function LoginForm({ logIn, onSuccess, initialUsername = "" }: LoginFormProps) {
  const [username, setUsername] = useState(initialUsername);
  const [password, setPassword] = useState("");
  // Null until the server has said that the account has a second factor.
  const [code, setCode] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState<LoginProblem | null>(null);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const usernameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);

  // The lock belongs to the name that was tried; another name may try at once.
  const lock = problem?.kind === "locked" && problem.username === username.trim() ? problem : null;
  const secondsLeft = useCountdown(lock?.until ?? null);
  const missing = { username: asked && !username.trim(), password: asked && !password, code: asked && !code?.trim() };

  async function submit(event: FormEvent) {
    event.preventDefault();
    // State changes arrive with the next drawing; a double click is quicker than that.
    if (sending.current || secondsLeft > 0) return;
    setAsked(true);
    if (!username.trim()) return focus(usernameField);
    if (!password) return focus(passwordField);
    if (code !== null && !code.trim()) return focus(codeField);
    await send(username.trim());
  }

  async function send(name: string) {
    sending.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await (code === null ? logIn(name, password) : logIn(name, password, code.trim()));
      onSuccess();
    } catch (error) {
      if (asksForCode(error)) {
        setAsked(false);
        setCode("");
        return;
      }
      const found = loginProblem(error, name, Date.now());
      setProblem(found);
      if (found.kind === "wrong") focus(passwordField);
      if (found.kind === "code") focus(codeField);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  }

  function back() {
    setCode(null);
    setPassword("");
    setAsked(false);
    setProblem(null);
  }

  return (
    <form onSubmit={submit} noValidate aria-label="ログイン">
      <Stack gap="md">
        <LoginAlert problem={problem?.kind === "locked" && secondsLeft === 0 ? null : problem} secondsLeft={secondsLeft} />
        {code === null ? (
          <>
            <TextInput
              ref={usernameField}
              label="ユーザー名"
              size="md"
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus={!initialUsername}
              data-autofocus={initialUsername ? undefined : true}
              value={username}
              onChange={(event) => setUsername(event.currentTarget.value)}
              error={missing.username && "ユーザー名を入力してください"}
            />
            <PasswordField
              ref={passwordField}
              autoFocus={Boolean(initialUsername)}
              value={password}
              onChange={setPassword}
              error={missing.password && "パスワードを入力してください"}
            />
          </>
        ) : (
          <TextInput
            ref={codeField}
            label="認証コード"
            description="認証アプリに出ている6桁の数字です。アプリが使えないときは、回復コードを入れてください。"
            size="md"
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={missing.code && "認証コードを入力してください"}
          />
        )}
        <Button type="submit" size="md" loading={busy} disabled={secondsLeft > 0} fullWidth mt="xs">
          ログイン
        </Button>
        {code !== null && (
          <Button variant="subtle" size="md" onClick={back}>
            ユーザー名の入力にもどる
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** Selected, so that typing replaces what was wrong. */
function focus(field: RefObject<HTMLInputElement | null>): void {
  field.current?.focus();
  field.current?.select();
}
