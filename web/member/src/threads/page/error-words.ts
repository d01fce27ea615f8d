import { ApiError } from "../../../../api/errors";
import { type MemberErrorWords, memberErrorWords } from "../../screens/member-error-words";

const NO_SUCH_THREAD: MemberErrorWords = {
  title: "日程調整が見つかりません",
  text: "取りやめになったか、ほかの方へのご案内か、リンクが古くなっているようです。一覧でお確かめください。",
  help: "list",
};
const NO_SUCH_STATUS = [400, 403, 404, 422];

export function threadErrorWords(error: unknown): MemberErrorWords {
  return error instanceof ApiError && NO_SUCH_STATUS.includes(error.status) ? NO_SUCH_THREAD : memberErrorWords(error);
}
