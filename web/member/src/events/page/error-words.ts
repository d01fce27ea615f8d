import { ApiError } from "../../../../api/errors";
import { type MemberErrorWords, memberErrorWords } from "../../screens/member-error-words";

const NO_SUCH_EVENT: MemberErrorWords = {
  title: "イベントが見つかりません",
  text: "取りやめになったか、リンクが古くなっているようです。一覧でお確かめください。",
  help: "list",
};
const NOT_INVITED: MemberErrorWords = {
  title: "ご案内の対象ではありません",
  text: "このイベントは、ほかの方へのご案内です。お心当たりがあるときは、事務局にご連絡ください。",
  help: "list",
};
const NO_SUCH_STATUS = [400, 404, 422];

export function eventErrorWords(error: unknown): MemberErrorWords {
  if (!(error instanceof ApiError)) return memberErrorWords(error);
  if (error.code === "NOT_INVITED") return NOT_INVITED;
  return NO_SUCH_STATUS.includes(error.status) ? NO_SUCH_EVENT : memberErrorWords(error);
}

export const eventErrorText = (error: unknown): string => eventErrorWords(error).text;
