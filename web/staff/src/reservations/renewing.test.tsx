// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { Refused, fakeServer } from "../app.fixture";
import { button, eachWithAPage, open, press, root, sent } from "../portal.fixture";

const RENEWAL = "/api/reservations/calendar-keys/renewal";
const WAY = "カレンダーのリンクを人に教えてしまったとき";

eachWithAPage();

/** The address changes with the renewal, as it does on the server. */
function server(answer?: unknown) {
  let key = "old";
  return fakeServer({
    "GET /api/reservations/501/calendar": () => ({ url: `https://a.test/api/reservations/501.ics?key=${key}` }),
    [`POST ${RENEWAL}`]: () => {
      if (answer) return answer;
      key = "new";
      return { renewedAt: "2025-08-16T12:00:00+09:00" };
    },
  });
}

const address = () => root.querySelector("a[href*='.ics']")?.getAttribute("href");

test("the first press explains, the second renews the links of all reservations", async () => {
  const one = server();
  await open(one, "/reservations/501/calendar");
  expect(address()).toContain("key=old");
  await press(WAY);
  expect(root.textContent).toContain("これまでのリンクは、どの予約のものも使えなくなります");
  expect(sent(one, "POST", RENEWAL)).toEqual([]);
  await press("リンクを新しくする");
  expect(sent(one, "POST", RENEWAL).map(({ body }) => body)).toEqual([{ confirm: true }]);
  expect(address()).toContain("key=new");
  expect(root.textContent).toContain("リンクを新しくしました");
});

test("a failure is said, and can be tried again", async () => {
  const one = server(new Refused(503, "UNAVAILABLE"));
  await open(one, "/reservations/501/calendar");
  await press(WAY);
  await press("リンクを新しくする");
  expect(root.textContent).toContain("新しくできませんでした");
  expect(address()).toContain("key=old");
  expect(button("リンクを新しくする")?.disabled).toBe(false);
});
