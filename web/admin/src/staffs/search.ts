/** What is looked for stands in the address: it survives a reload, and the way back from a person leads to it. */
export const STATES = ["locked", "initialPin", "incomplete", "unconfirmed"] as const;
export type State = (typeof STATES)[number];

export const STATE_NAMES: Record<State, string> = {
  locked: "ロック中",
  initialPin: "暗証番号が初期のまま",
  incomplete: "プロフィール未入力",
  unconfirmed: "自己登録・未確認",
};

export const STATUSES = ["active", "suspended", "left"] as const;
export type Status = (typeof STATUSES)[number];

export interface StaffsSearch {
  q?: string;
  departmentId?: string;
  status?: Status;
  state?: State;
}

export function staffsSearch(search: Record<string, unknown>): StaffsSearch {
  const text = (value: unknown) => (["string", "number"].includes(typeof value) ? String(value).slice(0, 100).trim() : "");
  const q = text(search["q"]);
  const departmentId = text(search["departmentId"]);
  const status = STATUSES.find((one) => one === search["status"]);
  const state = STATES.find((one) => one === search["state"]);
  return { ...(q ? { q } : {}), ...(departmentId ? { departmentId } : {}), ...(status ? { status } : {}), ...(state ? { state } : {}) };
}

/** The same search with one thing changed; an empty value takes it away. */
export function narrowed(search: StaffsSearch, field: keyof StaffsSearch, value: string): StaffsSearch {
  const { [field]: _before, ...others } = search;
  return staffsSearch({ ...others, [field]: value });
}
