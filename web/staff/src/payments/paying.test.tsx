// @vitest-environment happy-dom
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fakeServer, Refused } from "../app.fixture";
import type { Reservation } from "../api/shapes";
import { button, eachWithAPage, heading, open, press, root, sent, settled } from "../portal.fixture";
import { HELD, PAYMENT, RESERVATION } from "../reservations/reservation.fixture";
import { SLOT } from "../slots/slot.fixture";

const PRICED = { ...SLOT, priceJpy: 3000, refundUntilHours: 24 };
const PAID: Reservation = { ...RESERVATION, payment: { ...PAYMENT, status: "PAID" }, refundUntil: "2099-10-19T09:00:00+09:00" };
const held: Reservation = { ...HELD, holdExpiresAt: "2099-10-19T09:00:00+09:00" };
const mine = (...items: Reservation[]) => ({ "GET /api/reservations/me": { items, nextCursor: null } });
const pay = "/api/reservations/501/payment";
let left: ReturnType<typeof vi.spyOn>;

/** A minute of waiting takes half a second. */
function hurry(): void {
  const real = setTimeout;
  const quick = (done: () => void, ms = 0) => real(done, ms / 120);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(quick as typeof setTimeout);
}

eachWithAPage();
beforeEach(() => {
  left = vi.spyOn(location, "assign").mockImplementation(() => {});
});

describe("a slot with a price", () => {
  test("says what happens next, and leads to the payment page once", async () => {
    const server = fakeServer({ ...mine(held), "GET /api/slots": { items: [PRICED], nextCursor: null }, "POST /api/reservations": held });
    await open(server, "/?day=2099-10-20");
    expect(root.textContent).toContain("3,000円");
    await press("9:00〜9:30");
    const sheet = root.querySelector("dialog")?.textContent;
    for (const words of ["35分お取り置き", "お支払いで確定します", "24時間前まで"]) expect(sheet).toContain(words);
    await act(async () => {
      button("支払いへ進む")?.click();
      button("支払いへ進む")?.click();
    });
    await settled();
    expect(sent(server, "POST", "/api/reservations")).toHaveLength(1);
    expect(left).toHaveBeenCalledExactlyOnceWith("https://pay.example/c/1");
    // The way back from there leads here.
    expect(location.pathname).toBe("/staff/reservations/501");
  });

  test("without a payment page keeps the seat and offers another try", async () => {
    const unopened = { ...held, payment: { ...PAYMENT, status: "CREATING" as const, checkoutUrl: null } };
    const answers = [unopened.payment, PAYMENT];
    const server = fakeServer({
      ...mine(unopened),
      "GET /api/slots": { items: [PRICED], nextCursor: null },
      "POST /api/reservations": unopened,
      [`POST ${pay}`]: () => answers.shift(),
    });
    await open(server, "/?day=2099-10-20");
    await press("9:00〜9:30");
    await press("支払いへ進む");
    expect(left).not.toHaveBeenCalled();
    expect(root.querySelector("[role=alert] .say-warn")?.textContent).toContain("席はお取り置きしています");
    await press("もう一度開く");
    expect(left).not.toHaveBeenCalled();
    await press("もう一度開く");
    expect(left).toHaveBeenCalledOnce();
  });
});

describe("a held seat", () => {
  test("is paid by one request, however often one taps", async () => {
    const server = fakeServer({ ...mine(held), [`POST ${pay}`]: PAYMENT });
    await open(server, "/reservations/501");
    await act(async () => {
      button("支払いへ進む")?.click();
      button("支払いへ進む")?.click();
    });
    await settled();
    await press("支払い画面を開いています");
    expect(sent(server, "POST", pay)).toHaveLength(1);
    expect(left).toHaveBeenCalledOnce();
  });

  test("shows itself anew when the browser brings the page back", async () => {
    const server = fakeServer({ ...mine(held), [`POST ${pay}`]: PAYMENT });
    await open(server, "/reservations/501");
    await press("支払いへ進む");
    await act(async () => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
    await settled();
    expect(button("支払いへ進む")).toBeDefined();
  });

  test("whose time has run out is no longer paid", async () => {
    const server = fakeServer({ ...mine(held), [`POST ${pay}`]: new Refused(409, "HOLD_EXPIRED", "期限が過ぎました。") });
    await open(server, "/reservations/501");
    server.known["GET /api/reservations/me"] = { items: [{ ...held, canceledAt: "2099-10-19T09:00:00+09:00", holdExpired: true }], nextCursor: null };
    await press("支払いへ進む");
    expect(root.textContent).toContain("席のお取り置きを取り消しました");
    expect(button("支払いへ進む")).toBeUndefined();
  });

  test("can be given back without a price, but not moved", async () => {
    await open(fakeServer(mine(held)), "/reservations/501");
    expect(root.textContent).not.toContain("日時を変更する");
    await press("支払わずに取り消す");
    expect(root.querySelector("dialog")?.textContent).toContain("料金はかかりません");
  });

  test("never follows an address that is no page", async () => {
    const server = fakeServer({ ...mine(held), [`POST ${pay}`]: { ...PAYMENT, checkoutUrl: "javascript:alert(1)" } });
    await open(server, "/reservations/501");
    await press("支払いへ進む");
    expect(left).not.toHaveBeenCalled();
  });
});

describe("the way back from the payment page", () => {
  test("proves nothing: it is looked for until the server says that it is paid", async () => {
    const server = fakeServer(mine(held));
    hurry();
    await open(server, "/reservations/501?paid=1");
    expect(root.textContent).toContain("お支払いを確認しています");
    await vi.waitFor(() => expect(sent(server, "GET", "/api/reservations/me").length).toBeGreaterThan(2));
    expect(root.textContent).toContain("お支払いを確認しています");
    expect(location.search).toBe("?paid=1");
    server.known["GET /api/reservations/me"] = { items: [PAID], nextCursor: null };
    await vi.waitFor(() => expect(root.textContent).toContain("お支払いを確認しました。予約が確定しました。"));
    expect(root.textContent).toContain("支払い済み");
    expect(location.search).toBe("");
  });

  test("ends with what to do when nothing is heard for a minute", async () => {
    hurry();
    await open(fakeServer(mine(held)), "/reservations/501?paid=1");
    await vi.waitFor(() => expect(root.textContent).toContain("もう一度支払う必要はありません"), 5000);
    await press("まだ支払っていない");
    expect(button("支払いへ進む")).toBeDefined();
  });

  test("without having paid says so, and the seat is still held", async () => {
    await open(fakeServer(mine(held)), "/reservations/501?left=1");
    expect(root.textContent).toContain("まだ済んでいません");
    expect(button("支払いへ進む")).toBeDefined();
  });

  test("that comes too late says what becomes of the money", async () => {
    const late: Reservation = {
      ...held,
      canceledAt: "2099-10-19T09:00:00+09:00",
      holdExpired: true,
      payment: { ...PAYMENT, status: "PAID", refund: { status: "PENDING", amountJpy: 3000 } },
    };
    await open(fakeServer(mine(late)), "/reservations/501?paid=1");
    expect(root.textContent).toContain("予約は確定していません");
    expect(root.textContent).toContain("返金手続き中");
  });
});

describe("a button of a message", () => {
  test("asks whether to cancel, and says how much comes back", async () => {
    const server = fakeServer({ ...mine(PAID), "DELETE /api/reservations/501": null });
    await open(server, "/reservations/501/cancel?r=0");
    expect(heading()).toBe("この予約を取り消しますか？");
    expect(root.textContent).toContain("3,000円は、全額を返金します");
    await press("取り消す");
    expect(sent(server, "DELETE", "/api/reservations/501")).toHaveLength(1);
    expect(location.pathname).toBe("/staff/reservations/501");
    expect(root.textContent).toContain("予約を取り消しました。");
  });

  test("after the deadline for refunds says so on the button too", async () => {
    await open(fakeServer(mine({ ...PAID, refundUntil: "2026-01-01T09:00:00+09:00" })), "/reservations/501/cancel");
    expect(button("返金なしで取り消す")).toBeDefined();
  });

  test("of a reservation that has moved shows the new time and says so", async () => {
    await open(fakeServer(mine({ ...RESERVATION, revision: 1 })), "/reservations/501?r=0");
    expect(root.textContent).toContain("日時が変更されています");
  });

  test("on a device of somebody else offers to log in, and stays at the address", async () => {
    const server = fakeServer(mine());
    await open(server, "/reservations/501/cancel?r=0");
    expect(root.textContent).toContain("山田太郎さんとしてログイン");
    await press("ほかの職員番号でログインする");
    expect(heading()).toBe("職員の予約");
    expect(location.pathname).toBe("/staff/reservations/501/cancel");
    expect(sent(server, "POST", "/auth/logout")).toHaveLength(1);
  });
});
