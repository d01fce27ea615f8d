import type { AnswersProgress } from "../client/types";

const WHERE = "理由は「通信の記録」で見られます。";

/** How many phones are through, whether the product took the answer or not. */
export function doneOf(run: AnswersProgress): number {
  return run.attend + run.absent + run.failed;
}

export function summaryOfRun(run: AnswersProgress): string {
  const answered = run.attend + run.absent;
  if (answered === 0 && run.failed === run.people) return `だれの回答も届きませんでした（${run.failed}人）。${WHERE}`;
  const head = run.stopped
    ? `途中でやめました。${run.people}人のうち${answered}人が回答しました`
    : `${answered}人が回答しました`;
  const parts = answered > 0 ? `（出席${run.attend}人・欠席${run.absent}人）` : "";
  return `${head}${parts}。${failureOf(run)}`;
}

function failureOf(run: AnswersProgress): string {
  return run.failed > 0 ? `${run.failed}人の回答は届きませんでした。${WHERE}` : "";
}

/** Nobody answers: either nobody was asked, or the share was too small for the few who were. */
export function nobodyAnswers(invited: number): string {
  return invited === 0
    ? "イベントの案内を受け取った友だちがまだいません。管理画面でイベントを作って送ってから、もう一度お試しください。"
    : `案内を受け取った友だちは${invited}人です。この割合では誰も回答しません。割合を上げてください。`;
}
