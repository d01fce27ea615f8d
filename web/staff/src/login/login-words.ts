import { ApiError } from "../../../api/errors";

export interface LoginTrouble {
  title: string;
  text: string;
  /** Further lines: who can help, and where. */
  more?: string;
}

/** What happened at the log-in and what to do next. */
export function loginTrouble(error: unknown): LoginTrouble {
  if (!(error instanceof ApiError)) {
    return { title: "つながりませんでした", text: "通信を確かめて、もう一度「ログイン」を押してください。" };
  }
  if (error.code === "WRONG_PIN") {
    return {
      title: "ログインできませんでした",
      text: "職員番号または暗証番号（PIN）が違います。",
      more: "5回続けて間違えるとロックされます。忘れたときは、健診・予約の担当者に再発行を依頼してください。",
    };
  }
  if (error.code === "PIN_LOCKED") {
    return {
      title: "ロックされています",
      text: "暗証番号（PIN）を5回間違えたため、ログインできません。時間がたっても解除されません。",
      more: "健診・予約の担当者に、職員番号を伝えて解除を依頼してください。担当者は、管理画面の「職員」で解除できます。",
    };
  }
  if (error.status === 429 || error.status === 503) {
    return { title: "ただいま混み合っています", text: "少し待ってから、もう一度お試しください。入力した内容はそのままです。" };
  }
  if (error.status === 400) return { title: "入力を確かめてください", text: "職員番号は数字、暗証番号（PIN）は数字4桁です。" };
  return { title: error.status >= 500 ? "うまくいきませんでした" : "ログインできません", text: error.message };
}

/** What is missing before anybody is asked. */
export function missingInput(staffId: string, pin: string): { field: "staffId" | "pin"; text: string } | null {
  if (staffId === "") return { field: "staffId", text: "職員番号を入力してください。" };
  return pin.length === 4 ? null : { field: "pin", text: "暗証番号（PIN）は数字4桁です。" };
}
