// @vitest-environment happy-dom
import { act } from "preact/test-utils";
import { describe, expect, test, vi } from "vitest";
import { COMPLETE, fakeServer, Refused } from "./app.fixture";
import { button, eachWithAPage, heading, open, press, root, sent, settled, type } from "./portal.fixture";
import { PROFILE } from "./profile/profile.fixture";
import { RESERVATION } from "./reservations/reservation.fixture";
import { FULL, SLOT } from "./slots/slot.fixture";

eachWithAPage();

describe("the log-in", () => {
  test("asks nobody but for the options while there was no session", async () => {
    const server = fakeServer();
    await open(server, "/", null);
    expect(server.asked.map(({ path }) => path)).toEqual(["/auth/options"]);
    expect(heading()).toBe("職員の予約");
  });

  test("with the pad leads to the slots, at the address that was asked for", async () => {
    const server = fakeServer();
    await open(server, "/reservations", null);
    await type("staff-id", "1001");
    for (const digit of "4826") await press(digit);
    await press("ログイン");
    expect(sent(server, "POST", "/auth/login")[0]?.body).toEqual({ staffId: "1001", pin: "4826", transport: "cookie" });
    expect(heading()).toBe("予約の確認");
  });

  test("that is refused empties the PIN and keeps the number", async () => {
    const server = fakeServer({ "POST /auth/login": new Refused(423, "PIN_LOCKED") });
    await open(server, "/", null);
    await type("staff-id", "1001");
    await type("pin", "4826");
    await press("ログイン");
    expect(root.querySelector('.login-end [role="alert"]')?.textContent).toContain("ロックされています");
    expect(root.querySelector<HTMLInputElement>("#pin")?.value).toBe("");
    expect(root.querySelector<HTMLInputElement>("#staff-id")?.value).toBe("1001");
  });

  test("with the initial PIN leads to a new one, which is not asked for again at the completion", async () => {
    const server = fakeServer({
      "POST /auth/login": { accessToken: "h.e30.s", expiresIn: 900, pinMustChange: true, profileComplete: false },
      "POST /api/staffs/pin/change": { pinMustChange: false, endedSessions: 0 },
      "GET /api/staffs/me": PROFILE,
      "PATCH /api/staffs/me": COMPLETE,
    });
    await open(server, "/", null);
    await type("staff-id", "1001");
    await type("pin", "0000");
    await press("ログイン");
    expect(heading()).toBe("暗証番号（PIN）を決めてください");
    await type("pin-step", "1234");
    await press("次へ");
    expect(root.textContent).toContain("順番に並んだ番号");
    await type("pin-step", "7391");
    await press("次へ");
    await type("pin-step", "7392");
    await press("変更する");
    expect(root.textContent).toContain("2回の入力が違いました");
    for (const name of ["次へ", "変更する"]) {
      await type("pin-step", "7391");
      await press(name);
    }
    expect(sent(server, "POST", "/api/staffs/pin/change").map(({ body }) => body)).toEqual([{ currentPin: "0000", newPin: "7391" }]);
    expect(heading()).toContain("入力をお願いします");
    expect(root.querySelector("#current-pin")).toBeNull();
    expect(root.querySelector("#familyName, #jobTitle")).toBeNull();
    await type("emrPatientId", "５５");
    await act(async () => root.querySelector<HTMLInputElement>('input[value="2"]')?.click());
    const birth = [...root.querySelectorAll<HTMLInputElement>(".birth input")];
    for (const [index, value] of ["1985", "4", "12"].entries()) {
      await act(async () => {
        const field = birth[index];
        if (field) field.value = value;
        field?.dispatchEvent(new Event("input", { bubbles: true }));
      });
    }
    await press("登録して予約へ進む");
    expect(sent(server, "PATCH", "/api/staffs/me")[0]?.body).toEqual({ version: 1, emrPatientId: "55", dateOfBirth: "1985-04-12", sexCode: "2", currentPin: "7391" });
    expect(heading()).toBe("予約する");
  });
});

describe("a reminder", () => {
  const other = { ...SLOT, id: 14, reservationTypeId: 2, reservationTypeName: "予防接種", serviceDateLocal: "2099-11-05" };

  test("leads to the first day with a seat of its type, and the address keeps the type", async () => {
    const server = fakeServer({ "GET /api/slots": { items: [SLOT, other], nextCursor: null } });
    await open(server, "/?type=2");
    expect(root.querySelector<HTMLSelectElement>("#type")?.value).toBe("2");
    expect(root.querySelector(".day-heading")?.textContent).toContain("11月5日");
    await press("6");
    expect(location.search).toBe("?type=2&day=2099-11-06");
  });

  test("of a type without slots shows all of them", async () => {
    const server = fakeServer({ "GET /api/slots": { items: [SLOT, other], nextCursor: null } });
    await open(server, "/?type=77");
    expect(root.querySelector<HTMLSelectElement>("#type")?.value).toBe("");
    expect(root.querySelector(".day-heading")?.textContent).toContain("10月20日");
  });
});

describe("booking", () => {
  test("needs two taps, and a double tap sends once", async () => {
    let answer = (_: unknown) => {};
    const server = fakeServer({ "POST /api/reservations": () => new Promise((done) => (answer = done)) });
    await open(server, "/?day=2099-10-20");
    await press("9:00〜9:30");
    await act(async () => {
      button("予約する")?.click();
      button("予約")?.click();
    });
    await press("予約しています");
    expect(sent(server, "POST", "/api/reservations")).toHaveLength(1);
    answer(RESERVATION);
    await settled();
    expect(location.pathname).toBe("/staff/reservations/501");
    expect(root.textContent).toContain("予約しました。");
  });

  test("over a restart of the server is tried again with the same key, and nothing is lost", async () => {
    const outcomes = [new TypeError("connection reset"), new Refused(503, "UNAVAILABLE"), RESERVATION];
    const server = fakeServer({ "POST /api/reservations": () => outcomes.shift() });
    await open(server, "/?day=2099-10-20");
    await press("9:00〜9:30");
    await press("予約する");
    expect(root.querySelector("dialog [role=alert]")?.textContent).toContain("二重になることはありません");
    await press("もう一度、予約する");
    await press("もう一度、予約する");
    const keys = sent(server, "POST", "/api/reservations").map(({ key }) => key);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(location.pathname).toBe("/staff/reservations/501");
  });

  test("a slot that was taken meanwhile turns into a place to wait for", async () => {
    const server = fakeServer({ "POST /api/reservations": new Refused(409, "SLOT_FULL"), "POST /api/slots/12/waiting": {} });
    await open(server, "/?day=2099-10-20");
    await press("9:00〜9:30");
    server.known["GET /api/slots"] = { items: [{ ...FULL, id: 12 }], nextCursor: null };
    await press("予約する");
    expect(button("空いたら自動で予約")).toBeDefined();
  });

  test('found("24.B7"): a slot that can only replace a reservation moves it with one confirmation', async () => {
    const taken = { ...SLOT, bookable: false, reason: "ALREADY_BOOKED_THIS_YEAR", replaceable: 501 };
    const server = fakeServer({
      "GET /api/slots": { items: [taken], nextCursor: null },
      "GET /api/reservations/me": { items: [{ ...RESERVATION, slotId: 9, serviceDateLocal: "2099-11-02" }], nextCursor: null },
      "PATCH /api/reservations/501": RESERVATION,
    });
    await open(server, "/?day=2099-10-20");
    expect(root.querySelector(".slot")?.textContent).toContain("変更できます");
    await press("9:00〜9:30");
    expect(root.querySelector("dialog")?.textContent).toContain("山田太郎さん（3階A病棟）");
    await press("10/20 9:00 に変更する");
    expect(sent(server, "POST", "/api/reservations")).toEqual([]);
    expect(sent(server, "PATCH", "/api/reservations/501")[0]?.body).toEqual({ slotId: 12 });
    expect(location.pathname).toBe("/staff/reservations/501");
  });

  test('found("24.B7"): what stands in the way is said before anybody tries', async () => {
    const barred = { ...SLOT, bookable: false, reason: "OVERLAPS" };
    const server = fakeServer({ "GET /api/slots": { items: [barred, { ...FULL, startMinuteOfDay: 600, waitable: false }], nextCursor: null } });
    await open(server, "/?day=2099-10-20");
    await press("9:00〜9:30");
    expect(root.querySelector("dialog")?.textContent).toContain("同じ時間に、ほかの予約があります。");
    expect(button("予約する")).toBeUndefined();
    await press("閉じる");
    await press("10:00〜10:30");
    expect(button("空いたら自動で予約")).toBeUndefined();
  });

  test('found("24.C3"): what the office says about the type stands before the booking and after it', async () => {
    const description = "問診票をお持ちください。";
    const server = fakeServer({
      "GET /api/slots": { items: [{ ...SLOT, typeDescription: description }], nextCursor: null },
      "POST /api/reservations": RESERVATION,
      "GET /api/reservations/me": { items: [{ ...RESERVATION, typeDescription: `${description}${"長い説明。".repeat(30)}` }], nextCursor: null },
    });
    await open(server, "/?day=2099-10-20");
    await press("9:00〜9:30");
    expect(root.querySelector("dialog")?.textContent).toContain(description);
    expect(root.querySelector("dialog")?.textContent).toContain("3階の健診室");
    await press("予約する");
    expect(root.querySelector("summary")?.textContent).toContain("続きを読む");
  });

  test('found("24.C7"): a banner about a move goes when the reservation is cancelled', async () => {
    const server = fakeServer({ "GET /api/reservations/me": { items: [RESERVATION], nextCursor: null } });
    await open(server, "/reservations/501", undefined, "予約の日時を変更しました。");
    expect(root.textContent).toContain("予約の日時を変更しました。");
    await press("予約を取り消す");
    server.known["GET /api/reservations/me"] = { items: [{ ...RESERVATION, canceledAt: "2099-10-02T09:00:00+09:00" }], nextCursor: null };
    await act(async () => root.querySelector<HTMLButtonElement>("dialog .button-danger")?.click());
    await settled();
    expect(root.textContent).toContain("に取り消しました。");
    expect(root.textContent).not.toContain("予約の日時を変更しました。");
  });

  test('found("24.C7"): every page names who is logged in, and leads out', async () => {
    const server = fakeServer();
    for (const path of ["/", "/reservations", "/profile", "/nowhere"]) {
      await open(server, path);
      expect(root.querySelector(".who")?.textContent, path).toBe("山田太郎さん（3階A病棟）ログアウト");
    }
  });
});

describe("the session", () => {
  test("that has run out leads to the log-in and back to the same address", async () => {
    const server = fakeServer({ "POST /auth/refresh": new Refused(401, "UNAUTHENTICATED") });
    await open(server, "/reservations");
    expect(heading()).toBe("職員の予約");
    expect(location.pathname).toBe("/staff/reservations");
    expect(localStorage.getItem("tsudoi:staff:session")).toBeNull();
  });

  test("is tried again after a lost network", async () => {
    const server = fakeServer({ "POST /auth/refresh": new TypeError("offline") });
    await open(server);
    expect(heading()).toBe("つながりませんでした");
    server.known["POST /auth/refresh"] = fakeServer().known["POST /auth/refresh"];
    await press("もう一度試す");
    expect(heading()).toBe("予約する");
  });

  test("of a suspended person says so", async () => {
    await open(fakeServer({ "GET /api/staffs/me": new Refused(403, "STAFF_NOT_ACTIVE", "この職員番号は、いまは利用できません。") }));
    expect(heading()).toBe("職員の予約");
    expect(root.textContent).toContain("いまは利用できません");
  });

  test("at a shared PC that was left alone is over before anything is shown", async () => {
    localStorage.setItem("tsudoi:staff:active", String(Date.now() - 5 * 60_000));
    const server = fakeServer();
    await open(server, "/profile", "shared:1");
    expect(heading()).toBe("職員の予約");
    expect(root.textContent).toContain("しばらく操作がなかったため");
    expect(server.asked.map(({ path }) => path)).toEqual(["/auth/logout", "/auth/options"]);
    expect(location.pathname).toBe("/staff/");
  });

  test.each([
    ["続ける", "予約する"],
    [null, "職員の予約"],
  ])("warns after four minutes; %s leads to %s", async (answer, title) => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    localStorage.setItem("tsudoi:staff:active", String(Date.now()));
    await open(fakeServer(), "/", "shared:1");
    const pass = async (ms: number) => {
      await act(async () => void vi.advanceTimersByTime(ms));
      await settled();
    };
    await pass(241_000);
    expect(root.querySelector("dialog")?.textContent).toContain("まもなくログアウト");
    if (answer) await press(answer);
    await pass(60_000);
    expect(heading()).toBe(title);
  });

  test("on a person's own phone stays", async () => {
    localStorage.setItem("tsudoi:staff:active", String(Date.now() - 60 * 60_000));
    await open(fakeServer(), "/", "own:1");
    expect(heading()).toBe("予約する");
  });

  test("ends here when another tab logs out", async () => {
    await open(fakeServer());
    localStorage.removeItem("tsudoi:staff:session");
    await act(async () => void dispatchEvent(Object.assign(new Event("storage"), { key: "tsudoi:staff:session" })));
    await settled();
    expect(heading()).toBe("職員の予約");
  });
});
