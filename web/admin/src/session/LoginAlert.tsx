import { formatRemaining } from "../../../api/times";
import { Notice } from "../frame/Notice";
import type { LoginProblem } from "./loginErrors";

export function LoginAlert({ problem, secondsLeft }: { problem: LoginProblem | null; secondsLeft: number }) {
  if (problem === null) return null;
  if (problem.kind === "locked") {
    return (
      <Notice tone="warning" title="ログインを一時的に止めています" alert>
        続けて間違えたため、安全のためにお待ちいただいています。
        {/* A live region that changes every second would talk without end. */}
        <span role="timer" aria-live="off">
          あと <strong className="figures">{formatRemaining(secondsLeft)}</strong> で、もう一度お試しいただけます。
        </span>
      </Notice>
    );
  }
  const requestId = problem.kind === "failed" ? problem.requestId : null;
  return (
    <Notice tone="danger" title={TITLES[problem.kind]} requestId={requestId} alert>
      {problem.message}
      {problem.kind === "wrong" && "大文字と小文字、全角と半角もお確かめください。"}
    </Notice>
  );
}

const TITLES = {
  wrong: "ログインできませんでした",
  code: "ログインできませんでした",
  old: "ログインできませんでした",
  unreachable: "サーバーにつながりません",
  failed: "ログインできませんでした",
} as const;
