// The log keeps codes, which never change; people read words. A code without words here is shown as it is.

const ACTIONS: Record<string, string> = {
  LOGIN_SUCCESS: "ログイン",
  LOGIN_FAIL: "ログインに失敗",
  LOGOUT: "ログアウト",
  ADMIN_CREATE: "管理者を登録",
  ADMIN_TOKEN_CREATE: "APIトークンを発行",
};

const ACTORS: Record<string, string> = { cli: "コマンド操作", nobody: "（ログイン前）", start: "システム（起動時）" };

const FIELDS: Record<string, string> = {
  locked: "ログインの一時停止",
  username: "ユーザー名",
  display_name: "LINEの名前",
  line_user_id: "LINEのユーザーID",
};

export function actionName(action: string): string {
  return ACTIONS[action] ?? action;
}

/** `admin:yamada` is yamada; the kind in front matters to the log alone. */
export function actorName(actor: string): string {
  return ACTORS[actor] ?? subjectName(actor);
}

export function subjectName(subject: string): string {
  return subject.replace(/^admin:/, "");
}

export function fieldName(field: string): string {
  return FIELDS[field] ?? field;
}
