import type { Answer } from "../../../../api/shapes";

type Event = Pick<Answer<"/api/admin/events/{event_id}">, "push" | "targets_total">;

export interface ProgressState {
  total: number;
  success: number;
  fail: number;
  unknown: number;
  percent: number;
  /** Somebody did not get it, or nobody knows. */
  hasProblems: boolean;
  done: boolean;
}

/** Without counts nothing has been taken up yet, which is not the same as nothing to do. */
export function progressOf({ push, targets_total }: Event): ProgressState {
  const { success, fail, unknown, pending } = push ?? { success: 0, fail: 0, unknown: 0, pending: targets_total };
  const total = success + fail + unknown + pending;
  const settled = total - pending;
  return {
    total,
    success,
    fail,
    unknown,
    percent: total === 0 ? 0 : Math.round((settled / total) * 100),
    hasProblems: fail + unknown > 0,
    done: total > 0 && pending === 0,
  };
}

export function progressText({ total, success, fail, unknown, done }: ProgressState): string {
  const people = (count: number) => `${count.toLocaleString("ja-JP")}人`;
  const trouble = [fail > 0 && `失敗 ${people(fail)}`, unknown > 0 && `確認できない方 ${people(unknown)}`].filter(Boolean).join("・");
  if (!done && success === 0 && !trouble) return `${people(total)}に送信しています`;
  const sent = done && !trouble ? `${people(total)}に送信しました` : `${people(total)}のうち${people(success)}に送信しました`;
  return trouble ? `${sent}（${trouble}）` : sent;
}
