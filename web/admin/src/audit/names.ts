// The log keeps codes, which never change; people read words. A code without words here is shown as it is.

const ACTIONS: Record<string, string> = {
  LOGIN_SUCCESS: "ログイン",
  LOGIN_FAIL: "ログインに失敗",
  LOGOUT: "ログアウト",
  ADMIN_CREATE: "管理者を登録",
  ADMIN_TOKEN_CREATE: "APIトークンを発行",
  MEMBERS_SYNC: "名簿を同期",
  WITHDRAW: "退会",
  LINK: "LINEと紐付け",
  UNLINK: "LINEの紐付けを解除",
  AUDIENCE_CREATE: "グループを作成",
  AUDIENCE_CHANGE: "グループを変更",
  AUDIENCE_DELETE: "グループを削除",
  AUDIENCE_MEMBERS: "グループの所属を変更",
};

const ACTORS: Record<string, string> = { cli: "コマンド操作", nobody: "（ログイン前）", start: "システム（起動時）", "line:follow": "友だち追加（自動）", "line:register": "本人の登録" };

const FIELDS: Record<string, string> = {
  locked: "ログインの一時停止",
  username: "ユーザー名",
  display_name: "LINEの名前",
  line_user_id: "LINEのユーザーID",
  name: "名前",
  sort_order: "並び順",
  added: "加えた会員",
  removed: "外した会員",
  member_ids: "所属していた会員",
};

export function actionName(action: string): string {
  return ACTIONS[action] ?? action;
}

/** `admin:yamada` is yamada; the kind in front matters to the log alone. */
export function actorName(actor: string): string {
  return ACTORS[actor] ?? subjectName(actor);
}

export function subjectName(subject: string): string {
  return subject
    .replace(/^admin:/, "")
    .replace(/^member:/, "会員 ")
    .replace(/^audience:/, "グループ ")
    .replace(/^members$/, "名簿");
}

export function fieldName(field: string): string {
  return FIELDS[field] ?? field;
}
