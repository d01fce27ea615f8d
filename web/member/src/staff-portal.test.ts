// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { leaveOtherPerson, portalAddress } from "./staff-portal";

test.each([
  ["/liff/staff", "", "/staff/profile"],
  ["/liff/staff/", "", "/staff/profile"],
  ["/liff/staff/reservations", "", "/staff/reservations"],
  ["/liff/staff/reservations/501", "", "/staff/reservations/501"],
  ["/liff/staff/reservations/501/move", "?r=2", "/staff/reservations/501/move?r=2"],
  ["/liff/staff/reservations/501/cancel", "?r=2&liff.referrer=x", "/staff/reservations/501/cancel?r=2"],
  ["/liff/staff/reservations/501/calendar", "?r=//evil.example", "/staff/reservations/501/calendar"],
])("%s%s leads to %s", (path, search, target) => {
  expect(portalAddress(path, search)).toBe(target);
});

test.each([
  "/liff/staff//evil.example",
  "/liff/staff/\\evil.example",
  "/liff/staff/reservations/501/delete",
  "/liff/staff/reservations/0",
  "/liff/staff/reservations/1e9",
  "/liff/staff/reservations/501/move/..//evil.example",
  "/liff/staff/https:/evil.example",
])("%s leads nowhere", (path) => {
  expect(portalAddress(path, "")).toBeNull();
});

beforeEach(() => localStorage.clear());

test("another LINE account ends the session of the one before", async () => {
  const fetch = vi.fn(async () => new Response(null, { status: 204 }));
  localStorage.setItem("tsudoi:staff:session", "own:1");
  await leaveOtherPerson("U1", localStorage, fetch as unknown as typeof window.fetch);
  await leaveOtherPerson("U1", localStorage, fetch as unknown as typeof window.fetch);
  expect(fetch).not.toHaveBeenCalled();
  expect(localStorage.getItem("tsudoi:staff:session")).toBe("own:1");
  await leaveOtherPerson("U2", localStorage, fetch as unknown as typeof window.fetch);
  expect(fetch).toHaveBeenCalledExactlyOnceWith("/auth/logout", expect.objectContaining({ method: "POST" }));
  expect(localStorage.getItem("tsudoi:staff:session")).toBeNull();
});

test("without a network the session is left here all the same", async () => {
  localStorage.setItem("tsudoi:staff:session", "own:1");
  localStorage.setItem("tsudoi:staff:line-user", "U1");
  await leaveOtherPerson("U2", localStorage, () => Promise.reject(new TypeError("offline")));
  expect(localStorage.getItem("tsudoi:staff:session")).toBeNull();
  await leaveOtherPerson("U2", null, () => Promise.reject(new TypeError("offline")));
});
