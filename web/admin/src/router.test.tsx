// @vitest-environment happy-dom
import { createMemoryHistory } from "@tanstack/react-router";
import { describe, expect, test } from "vitest";
import { consoleRouter } from "./router";

/** The route that answers an address, in a console with some parts on. */
function routeAt(path: string, features: string[]): string | undefined {
  const router = consoleRouter(features, createMemoryHistory({ initialEntries: [`/admin${path}`] }));
  return router.matchRoutes(router.latestLocation).at(-1)?.routeId;
}

describe("an address of a part", () => {
  test.each(["/events", "/events/new", "/events/7", "/events/7/print"])("%s shows the not-found page when events are off", (path) => {
    expect(routeAt(path, ["booking"])).toBe("/inside/$");
    expect(routeAt(path, ["events"])).toMatch(/^\/inside\/events/);
  });

  test.each(["/threads", "/threads/new", "/threads/7", "/threads/7/print"])("%s shows the not-found page when scheduling is off", (path) => {
    expect(routeAt(path, ["events"])).toBe("/inside/$");
    expect(routeAt(path, ["scheduling"])).toBe(`/inside${path.replace("/7", "/$threadId")}`);
  });

  test.each(["/booking", "/booking/slots/7", "/booking/day/print", "/staffs/import", "/reception", "/notifications", "/notifications/templates"])("%s shows the not-found page when booking is off", (path) => {
    expect(routeAt(path, ["events"])).toBe("/inside/$");
    expect(routeAt(path, ["booking"])).toBe(`/inside${path.replace("/7", "/$slotId")}`);
  });

  test("/payments is there only where people can pay online", () => {
    expect(routeAt("/payments", ["booking"])).toBe("/inside/$");
    expect(routeAt("/payments", ["booking", "payments"])).toBe("/inside/payments");
  });

  test.each(["/shops", "/shops/7", "/customers"])("%s shows the not-found page when shops are off", (path) => {
    expect(routeAt(path, ["events"])).toBe("/inside/$");
    expect(routeAt(path, ["shops"])).toBe(`/inside${path.replace("/7", "/$shopId")}`);
  });

  test("/connections is there only where shops are, and what an alarm leads to everywhere", () => {
    expect(routeAt("/connections", ["events"])).toBe("/inside/$");
    expect(routeAt("/connections", ["shops"])).toBe("/inside/connections");
    expect(["/tickets", "/tickets/7", "/connections/rules", "/connections/calls"].map((path) => routeAt(path, []))).toEqual(["/inside/tickets", "/inside/tickets/$ticketId", "/inside/connections/rules", "/inside/connections/calls"]);
  });

  test("of the roster and of the log is there in every console", () => {
    expect(["/", "/members", "/audiences/3", "/admins", "/account", "/audit", "/nowhere"].map((path) => routeAt(path, []))).toEqual([
      "/inside/",
      "/inside/members",
      "/inside/audiences/$audienceId",
      "/inside/admins",
      "/inside/account",
      "/inside/audit",
      "/inside/$",
    ]);
  });
});
