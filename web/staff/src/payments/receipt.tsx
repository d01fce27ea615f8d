import type { JSX } from "preact";
import { formatYen } from "./money";
import type { PayState } from "./pay-state";
import { REFUND_TAKES } from "./refund-words";

/** One word for the state of the money; null where none was paid. */
export function receiptWord({ kind }: PayState): string | null {
  return { none: null, due: null, konbini: null, expired: null, paid: "支払い済み", kept: "支払い済み", refunding: "返金手続き中", refunded: "返金済み", stuck: "返金手続き中" }[kind];
}

/** What becomes of the money, where one word does not say it; empty where nothing is to say. */
export function receiptNote(state: PayState): string {
  switch (state.kind) {
    case "kept":
      return "返金の期限を過ぎてから取り消されたため、返金はありません。";
    case "refunding":
      return `${lateNote(state.late)}返金の手続きをしています。${REFUND_TAKES}`;
    case "refunded":
      return `${lateNote(state.late)}返金の手続きが済みました。${REFUND_TAKES}`;
    case "stuck":
      return `${lateNote(state.late)}返金の手続きを、担当者が確認しています。お急ぎのときは、担当者にご連絡ください。`;
    default:
      return "";
  }
}

function lateNote(late: boolean): string {
  return late ? "お支払いが届いたときには期限が過ぎ、席がほかの方のものになっていました。予約は確定していません。" : "";
}

/** The rows of a list of facts. */
export function Receipt({ state }: { state: PayState }): JSX.Element | null {
  const word = receiptWord(state);
  if (word === null || !("amount" in state)) return null;
  return (
    <>
      <dt>お支払い</dt>
      <dd>
        {formatYen(state.amount)}
        <span class={`badge badge-line badge-${state.kind === "paid" ? "yes" : "no"}`}>{word}</span>
      </dd>
    </>
  );
}
