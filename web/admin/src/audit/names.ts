// The log keeps codes, which never change; people read words. A code without words here is shown as it is.

/** In the groups in which somebody looks for them. */
export const ACTION_GROUPS: { name: string; actions: Record<string, string> }[] = [
  {
    name: "イベント",
    actions: {
      EVENT_CREATE: "イベントを作成",
      EVENT_CHANGE: "イベントを変更",
      EVENT_CANCEL: "イベントを中止",
      EVENT_TARGETS: "対象者を追加",
      EVENT_REMIND: "督促を送信",
      EVENT_ANSWER: "代理で回答",
      EVENT_EXPORT: "回答を書き出し",
    },
  },
  {
    name: "グループ",
    actions: {
      AUDIENCE_CREATE: "グループを作成",
      AUDIENCE_CHANGE: "グループを変更",
      AUDIENCE_DELETE: "グループを削除",
      AUDIENCE_MEMBERS: "グループの所属を変更",
    },
  },
  {
    name: "名簿とLINE",
    actions: { MEMBERS_SYNC: "名簿を同期", WITHDRAW: "退会", LINK: "LINEと連携", UNLINK: "LINEとの連携を解除" },
  },
  {
    name: "ログインと管理者",
    actions: {
      LOGIN_SUCCESS: "ログイン",
      LOGIN_FAIL: "ログインに失敗",
      LOGOUT: "ログアウト",
      ADMIN_CREATE: "管理者を登録",
      ADMIN_TOKEN_CREATE: "APIトークンを発行",
    },
  },
];

const ACTIONS: Record<string, string> = Object.assign({}, ...ACTION_GROUPS.map(({ actions }) => actions));

/** Those who act without being an administrator. */
export const ACTORS: Record<string, string> = {
  cli: "コマンド操作",
  "line:follow": "友だち追加（自動）",
  "line:register": "会員本人の登録",
  nobody: "（ログイン前）",
  start: "システム（起動時）",
};

/** In the order in which people read them; the log sorts its keys by the alphabet. */
const FIELDS: Record<string, string> = {
  title: "タイトル",
  held_at: "開催日時",
  body: "本文",
  targets: "対象者数",
  people: "送った人数",
  told: "知らせた人数",
  name: "名前",
  sort_order: "並び順",
  added: "加えた会員",
  removed: "外した会員",
  member_ids: "会員",
  member_id: "会員",
  status: "回答",
  extra_text: "メモ",
  file: "書き出した内容",
  as_of: "いつの時点か",
  created: "新規",
  changed: "変更",
  withdrawn: "退会",
  unchanged: "変更なし",
  refused: "取り込めなかった行",
  display_name: "LINEの名前",
  line_user_id: "LINEのID",
  username: "ユーザー名",
  locked: "ログインの一時停止",
};

const FIELD_ORDER = Object.keys(FIELDS);

const KINDS: Record<string, string> = { member: "会員", audience: "グループ", event: "イベント" };

export interface Names {
  member: (id: number) => string | undefined;
  audience: (id: number) => string | undefined;
}

export function actionName(action: string): string {
  return ACTIONS[action] ?? action;
}

/** `admin:yamada` is yamada; the kind in front matters to the log alone. */
export function actorName(actor: string): string {
  return ACTORS[actor] ?? actor.replace(/^admin:/, "");
}

/** `member:5` is 会員「山田太郎」 where the name is known, and 会員 5 where it is not. */
export function subjectName(subject: string, names?: Names): string {
  if (subject === "members") return "名簿";
  if (subject === "admin:?") return "（登録のないユーザー名）";
  const [, kind = "", id = ""] = /^(member|audience|event):(\d+)$/.exec(subject) ?? [];
  const word = KINDS[kind];
  if (word === undefined) return subject.replace(/^admin:/, "");
  const name = kind === "member" ? names?.member(Number(id)) : kind === "audience" ? names?.audience(Number(id)) : undefined;
  return name === undefined ? `${word} ${id}` : `${word}「${name}」`;
}

export function fieldName(field: string): string {
  return FIELDS[field] ?? field;
}

export function inReadingOrder<T extends { field: string }>(changes: T[]): T[] {
  const place = ({ field }: T) => (FIELD_ORDER.includes(field) ? FIELD_ORDER.indexOf(field) : FIELD_ORDER.length);
  return [...changes].sort((one, other) => place(one) - place(other));
}
