import { expect, test } from "vitest";
import type { ThreadLine } from "../threads/thread";
import { attentionOf } from "./attention";
import type { Home, Overview, Quota } from "./queries";

const home: Home = { next_events: [], troubles: [], unlinked_friends: 0, waiting_registrations: 0, members: 40, linked_members: 30, alarms: [], tickets_open: 0 };
const overview: Overview = {
  friends: { following: 30, blocked: 0 },
  last_webhook_at: null,
  inbox: { waiting: 2, unknown: 0, failed: 0 },
  line: { configured: true },
  work: { silent_loops: [], late_since: null },
  backup: { last_at: "2026-12-07T03:00:00+09:00", overdue: false },
  disk: { free_bytes: 50 * 1024 ** 3, low: false },
};
const trouble = { event_id: 7, title: "理事会", held_at: "2026-12-20T19:00:00+09:00", cancelled: false, fail: 0, unknown: 0, pending: 0, kept_back: 0, not_told: [] as string[] };
const quota = (left: number | null, known = true): Quota => ({ known, limit: 200, used: 0, left, why_not: null });

test("nothing to do is an empty list, also while LINE has not answered", () => {
  expect(attentionOf({ home, overview, quota: quota(170) })).toEqual([]);
  expect(attentionOf({ home, overview: undefined, quota: undefined })).toEqual([]);
  expect(attentionOf({ home, overview, quota: quota(null) })).toEqual([]);
  expect(attentionOf({ home, overview, quota: quota(null, false) })).toEqual([]);
});

test("an open alarm is a red light with a way to its ticket, and tickets without one are counted", () => {
  const alarm = { cause: "OUTAGE_MAIL", title: "メールを送れません", since: "2026-12-08T03:00:00+09:00", ticket_id: 12 };
  const [found, ...others] = attentionOf({ home: { ...home, alarms: [alarm], tickets_open: 3 }, overview, quota: quota(170) });
  expect(found).toMatchObject({ tone: "danger", title: "メールを送れません", to: { ticket: 12 } });
  expect(found?.text).toContain("2026/12/08 03:00 から続いています");
  expect(others).toEqual([]);
  const [waiting] = attentionOf({ home: { ...home, tickets_open: 4 }, overview, quota: quota(170) });
  expect(waiting).toMatchObject({ tone: "warning", title: "まだだれも対応していないチケットが4件あります", to: "tickets" });
});

test("the worst comes first", () => {
  const found = attentionOf({
    home: {
      ...home,
      unlinked_friends: 3,
      troubles: [
        { ...trouble, event_id: 8, title: "花見", pending: 12 },
        { ...trouble, event_id: 7, title: "理事会", fail: 2, unknown: 1 },
      ],
    },
    overview: { ...overview, inbox: { waiting: 0, unknown: 1, failed: 1 } },
    quota: quota(12),
  });
  expect(found.map(({ key, tone }) => [key, tone])).toEqual([
    ["event:7", "danger"],
    ["inbox:failed", "danger"],
    ["inbox:unknown", "warning"],
    ["quota", "warning"],
    ["event:8", "info"],
    ["friends", "info"],
  ]);
  expect(found[0]?.title).toBe("「理事会」：2人に届きませんでした。1人は、届いたかどうか確かめられていません");
  expect(found[0]?.to).toEqual({ event: 7 });
});

test("notices that do not go out are a red light with a way to them", () => {
  const notices = {
    counts: { PENDING: 1, SENT: 0, FAILED: 0, UNKNOWN: 0, DASH: 0, NONE: 0 },
    quota: null,
    last_run: "2026/12/08 08:00",
    oldest_due: "2026/12/08 08:01",
    failures_in_a_row: 0,
    paused: null,
    dry_run: false,
    causes: [],
  };
  const found = attentionOf({ home, overview, quota: quota(170), notices }, new Date("2026-12-08T08:20:00+09:00"));
  expect(found.map(({ key, tone, to }) => [key, tone, to])).toEqual([["notices:stalled", "danger", "notices"]]);
});

test("without LINE nothing works, and without quota nothing can be sent", () => {
  const keys = attentionOf({ home, overview: { ...overview, line: { configured: false } }, quota: quota(0) });
  expect(keys.map(({ key, tone }) => [key, tone])).toEqual([
    ["line", "danger"],
    ["quota", "danger"],
  ]);
});

test("a worker that stands still, or does not keep up, is told", () => {
  const silent = attentionOf({ home, overview: { ...overview, work: { silent_loops: ["mails"], late_since: "2026-12-08T08:00:00+09:00" } }, quota: quota(170) });
  expect(silent.map(({ key, tone }) => [key, tone])).toEqual([["work:silent", "danger"]]);
  expect(silent[0]?.text).toContain("mails");
  const late = attentionOf({ home, overview: { ...overview, work: { silent_loops: [], late_since: "2026-12-08T08:00:00+09:00" } }, quota: quota(170) });
  expect(late.map(({ key, tone }) => [key, tone])).toEqual([["work:late", "warning"]]);
  expect(late[0]?.title).toContain("8:00");
});

test("threads that wait for the office are named with the reason", () => {
  const now = new Date("2026-12-01T12:00:00+09:00");
  const thread = (id: string, state: ThreadLine["state"], deadline_at: string | null, answered = 1): ThreadLine => ({
    id,
    title: id,
    status: "active",
    organizer_user_id: "admin:1",
    organizer_name: null,
    created_at: "2026-11-01T00:00:00+00:00",
    deadline_at,
    slots_total: 3,
    invites_total: 5,
    answered,
    declined: 0,
    state,
    sentence: "あと1人です。",
    final_slot: null,
  });
  const threads = [
    thread("遠い", "open", "2026-12-05T03:00:00+00:00"),
    thread("近い", "open", "2026-12-01T20:00:00+00:00"),
    thread("全員", "open", "2026-12-01T20:00:00+00:00", 5),
    thread("期限切れ", "open", "2026-11-30T03:00:00+00:00"),
    thread("無理", "impossible", null),
    thread("揃った", "satisfied", null),
  ];
  expect(attentionOf({ home, overview, quota: quota(null), threads }, now).map(({ key, tone }) => [key, tone])).toEqual([
    ["thread:期限切れ", "warning"],
    ["thread:無理", "warning"],
    ["thread:近い", "info"],
    ["thread:全員", "info"],
    ["thread:揃った", "info"],
  ]);
});

test("who waits for the office to confirm a name is counted apart from the other friends", () => {
  const found = (unlinked_friends: number) => attentionOf({ home: { ...home, unlinked_friends, waiting_registrations: 2 }, overview, quota: quota(170) });
  expect(found(5).map(({ tone, title, to }) => [tone, title, to])).toEqual([
    ["warning", "登録の確認を待っている方が2人います", "waiting"],
    ["info", "会員と連携していない友だちが3人います", "friends"],
  ]);
  expect(found(2).map(({ key }) => key)).toEqual(["waiting"]);
});

test("a backup that is overdue is said with its time, or that there was none", () => {
  const late = { last_at: "2026-12-01T03:00:00+09:00", overdue: true };
  const [found] = attentionOf({ home, overview: { ...overview, backup: late }, quota: quota(170) });
  expect(found).toMatchObject({ key: "backup", tone: "warning", to: null });
  expect(found?.title).toContain("2026/12/01 03:00");
  const [none] = attentionOf({ home, overview: { ...overview, backup: { last_at: null, overdue: true } }, quota: quota(170) });
  expect(none?.title).toContain("一度も");
});

test('found("24.A7"): a cancellation that did not reach people is named with them and with the way on', () => {
  const said = (more: Partial<typeof trouble>) => attentionOf({ home: { ...home, troubles: [{ ...trouble, cancelled: true, ...more }] }, overview, quota: quota(170) })[0];
  const found = said({ fail: 12, kept_back: 12, not_told: ["佐藤花子", "鈴木一郎"] });
  expect(found).toMatchObject({ tone: "danger", to: { event: 7 } });
  expect(found?.title).toBe("中止した「理事会」（2026/12/20 19:00）：12人に、中止が伝わっていないおそれがあります");
  expect(found?.text).toBe(
    "佐藤花子さん、鈴木一郎さん ほか10人。LINEの今月の上限で送れなかった12人には、通数が戻れば、イベントの画面の「送れなかった人に送る」で送れます。当日までに間に合わないときは、お電話でお知らせください。",
  );
  expect(said({ fail: 1, unknown: 1, not_told: ["佐藤花子", "鈴木一郎"] })?.title).toContain("（うち1人は、届いたかどうか確かめられていません）");
  expect(said({ unknown: 1, not_told: ["佐藤花子"] })?.text).toBe("佐藤花子さん。当日までに間に合わないときは、お電話でお知らせください。");
  expect(said({ pending: 3 })?.tone).toBe("info");
});

test('found("24.D5") a disk that is nearly full is said with the room that is left', () => {
  const [found] = attentionOf({ home, overview: { ...overview, disk: { free_bytes: 700 * 1024 ** 2, low: true } }, quota: quota(170) });
  expect(found).toMatchObject({ key: "disk", tone: "danger", to: null });
  expect(found?.title).toContain("あと700 MB");
});

test('whom nobody told of their seat is to be called, found("24.B9")', () => {
  const call = (id: number) => ({ id, kind: "promoted", subject_id: "7", title: "健診", url: null, member_id: null, person_key: "u:staff:uid-1", name: "山田太郎", phone: null, why: "LINEと連携していません", text: "予約になりました。", since: "2026-12-01T03:00:00+09:00", done_at: null, done_by: null, result: null, note: null });
  const [found] = attentionOf({ home, overview, quota: quota(170), calls: [call(1)] });
  expect(found).toMatchObject({ tone: "warning", title: "電話してください：山田太郎さん", to: { staff: "uid-1" } });
  const many = attentionOf({ home, overview, quota: quota(170), calls: [1, 2, 3, 4, 5, 6, 7].map(call) });
  expect(many).toHaveLength(6);
  expect(many[5]?.title).toBe("電話してください：ほか2人");
});
