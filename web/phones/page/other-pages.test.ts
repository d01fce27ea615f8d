import { expect, it } from "vitest";
import { otherPages } from "./other-pages";

it("leads to the product and to the sandbox's own pages", () => {
  const addresses = otherPages("http://127.0.0.1:8000/").map(({ href }) => href);
  expect(addresses).toContain("http://127.0.0.1:8000/admin/");
  expect(addresses).toContain("http://127.0.0.1:8000/staff/");
  expect(addresses).toEqual(expect.arrayContaining(["/stripe", "/mails", "/stores", "/chatwork", "/sms", "/troubles"]));
});
