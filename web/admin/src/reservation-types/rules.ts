import type { ReservationType } from "../booking/shapes";

type Rules = Pick<ReservationType, "limitPerYear" | "minimumDaysBetween" | "cancelUntilHours" | "overlapAllowed" | "priceJpy" | "refundUntilHours">;

/** The rules of a type as short phrases. */
export function rulesInWords({ limitPerYear, minimumDaysBetween, cancelUntilHours, overlapAllowed, priceJpy, refundUntilHours }: Rules): string[] {
  return [
    ...(priceJpy === null ? [] : [`${priceJpy.toLocaleString("ja-JP")}円（${refundUntilHours === null ? "取り消すと返金" : `開始の${refundUntilHours}時間前まで返金`}）`]),
    limitPerYear === null ? "回数の制限なし" : `年度に${limitPerYear}回まで`,
    ...(minimumDaysBetween === null ? [] : [`次の予約まで${minimumDaysBetween}日以上`]),
    cancelUntilHours === 0 ? "開始まで取り消せる" : `開始の${cancelUntilHours}時間前まで取り消せる`,
    ...(overlapAllowed ? ["ほかの予約と同じ時間でもよい"] : []),
  ];
}
