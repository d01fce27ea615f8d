import type { Answer } from "../../../api/shapes";

export type Friend = Answer<"/api/admin/links/unlinked-friends">["items"][number];

export const NAMELESS = "名前を取得できていません";
