// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ApiError, Unreachable } from "../../../api/errors";
import { LoginForm } from "./LoginForm";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

type LogIn = (username: string, password: string) => Promise<void>;

function open(logIn: LogIn, initialUsername = "") {
  const onSuccess = vi.fn();
  render(
    <MantineProvider env="test">
      <LoginForm logIn={logIn} onSuccess={onSuccess} initialUsername={initialUsername} />
    </MantineProvider>,
  );
  return { onSuccess };
}

const username = () => screen.getByLabelText<HTMLInputElement>("ユーザー名");
const password = () => screen.getByLabelText<HTMLInputElement>("パスワード", { selector: "input" });
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "ログイン" });

function fillIn(name: string, secret: string) {
  fireEvent.change(username(), { target: { value: name } });
  fireEvent.change(password(), { target: { value: secret } });
}

function refusal(status: number, retryAfter: number | null = null): ApiError {
  return new ApiError(status, "CODE", "サーバーの言葉", [], "request-1", retryAfter);
}

describe("the log-in form", () => {
  test("starts at the user name, or at the password when the name is known", () => {
    open(vi.fn());
    expect(document.activeElement).toBe(username());
    cleanup();
    open(vi.fn(), "jimukyoku");
    expect(document.activeElement).toBe(password());
    expect(username().value).toBe("jimukyoku");
  });

  test("sends the name without stray spaces and the password as typed", async () => {
    const logIn = vi.fn<LogIn>().mockResolvedValue();
    const { onSuccess } = open(logIn);
    fillIn(" jimukyoku ", " secret ");
    fireEvent.click(button());
    await waitFor(() => expect(onSuccess).toHaveBeenCalledOnce());
    expect(logIn).toHaveBeenCalledExactlyOnceWith("jimukyoku", " secret ");
  });

  test("sends once on a double click", async () => {
    const logIn = vi.fn<LogIn>().mockReturnValue(new Promise(() => {}));
    open(logIn);
    fillIn("jimukyoku", "secret");
    const form = screen.getByRole("form");
    act(() => {
      form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
      form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    });
    await waitFor(() => expect(button().disabled).toBe(true));
    expect(logIn).toHaveBeenCalledOnce();
  });

  test("names the empty field and goes there without asking the server", () => {
    const logIn = vi.fn<LogIn>();
    open(logIn);
    fireEvent.change(username(), { target: { value: "jimukyoku" } });
    fireEvent.click(button());
    expect(screen.getByText("パスワードを入力してください")).toBeTruthy();
    expect(document.activeElement).toBe(password());
    expect(logIn).not.toHaveBeenCalled();
  });

  test("says that name or password are wrong and goes back to the password", async () => {
    open(vi.fn<LogIn>().mockRejectedValue(refusal(401)));
    fillIn("jimukyoku", "wrong");
    fireEvent.click(button());
    expect((await screen.findByRole("alert")).textContent).toContain("ユーザー名またはパスワードが違います");
    expect(document.activeElement).toBe(password());
    expect(password().value).toBe("wrong");
  });

  test("shows and hides the password", () => {
    open(vi.fn());
    expect(password().type).toBe("password");
    fireEvent.click(screen.getByRole("button", { name: "パスワードを表示する" }));
    expect(password().type).toBe("text");
    fireEvent.click(screen.getByRole("button", { name: "パスワードを表示する", pressed: true }));
    expect(password().type).toBe("password");
  });

  test("tells a server that is out of reach from one that fails", async () => {
    open(vi.fn<LogIn>().mockRejectedValueOnce(new Unreachable()).mockRejectedValueOnce(refusal(500)));
    fillIn("jimukyoku", "secret");
    fireEvent.click(button());
    expect((await screen.findByRole("alert")).textContent).toContain("サーバーにつながりません");
    fireEvent.click(button());
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("お問い合わせ番号：request-1"));
  });
});

describe("the second factor", () => {
  const required = new ApiError(401, "TOTP_REQUIRED", "認証コードを入れてください。", [], null, null);
  const wrong = new ApiError(401, "TOTP_WRONG", "認証コードが違うか、すでに使われています。", [], null, null);
  const code = () => screen.getByLabelText<HTMLInputElement>("認証コード");

  async function asked(...later: (ApiError | undefined)[]) {
    const logIn = vi.fn<(username: string, password: string, code?: string) => Promise<void>>().mockRejectedValueOnce(required);
    for (const answer of later) {
      if (answer) logIn.mockRejectedValueOnce(answer);
      else logIn.mockResolvedValueOnce();
    }
    const { onSuccess } = open(logIn);
    fillIn("jimukyoku", "secret");
    fireEvent.click(button());
    await waitFor(() => expect(document.activeElement).toBe(code()));
    return { logIn, onSuccess };
  }

  test("is asked for after the password, and sent with it", async () => {
    const { logIn, onSuccess } = await asked(wrong, undefined);
    fireEvent.click(button());
    expect(screen.getByText("認証コードを入力してください")).toBeTruthy();
    fireEvent.change(code(), { target: { value: " 123 456 " } });
    fireEvent.click(button());
    expect((await screen.findByRole("alert")).textContent).toContain("認証コードが違うか");
    fireEvent.change(code(), { target: { value: "654321" } });
    fireEvent.click(button());
    await waitFor(() => expect(onSuccess).toHaveBeenCalledOnce());
    expect(logIn.mock.calls).toEqual([
      ["jimukyoku", "secret"],
      ["jimukyoku", "secret", "123 456"],
      ["jimukyoku", "secret", "654321"],
    ]);
  });

  test("can be left for another name", async () => {
    await asked();
    fireEvent.click(screen.getByRole("button", { name: "ユーザー名の入力にもどる" }));
    expect(username().value).toBe("jimukyoku");
    expect(password().value).toBe("");
  });
});

describe("the lock-out", () => {
  async function lockedOut(retryAfter: number | null) {
    vi.useFakeTimers();
    const logIn = vi.fn<LogIn>().mockRejectedValueOnce(refusal(429, retryAfter)).mockResolvedValue();
    open(logIn);
    fillIn("jimukyoku", "wrong");
    fireEvent.click(button());
    await act(() => vi.advanceTimersByTimeAsync(0));
    return logIn;
  }

  test("counts down what the server said and opens the form again", async () => {
    const logIn = await lockedOut(62);
    expect(screen.getByRole("timer").textContent).toContain("1分02秒");
    expect(button().disabled).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(screen.getByRole("timer").textContent).toContain("57秒");
    await act(() => vi.advanceTimersByTimeAsync(57_000));
    expect(screen.queryByRole("timer")).toBeNull();
    fireEvent.click(button());
    expect(logIn).toHaveBeenCalledTimes(2);
  });

  test("lasts ten minutes when the server did not say how long", async () => {
    await lockedOut(null);
    expect(screen.getByRole("timer").textContent).toContain("10分00秒");
  });

  test("holds for the name that was tried, not for another", async () => {
    const logIn = await lockedOut(600);
    fillIn("iincho", "secret");
    expect(button().disabled).toBe(false);
    fireEvent.click(button());
    expect(logIn).toHaveBeenLastCalledWith("iincho", "secret");
  });
});
