// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { BadPageConfig, readConfig, readOfficeConfig } from "./config";

function page(content: string): Document {
  const meta = document.createElement("meta");
  meta.name = "tsudoi-config";
  meta.content = content;
  const made = document.implementation.createHTMLDocument("");
  made.head.append(meta);
  return made;
}

describe("readConfig", () => {
  test("reads what the server wrote", () => {
    const config = { liff_adapter: "sandbox", liff_id: "1-a", version: "0.1.0", command: ".venv/bin/tsudoi", office_phone: "052-000-0001", roster_sheet: true, features: ["scheduling"], member_pages: ["scheduling"] };
    expect(readConfig(page(JSON.stringify({ ...config, features: ["scheduling"] })))).toEqual(config);
  });

  test("takes everything but the sandbox for the real LINE", () => {
    expect(readConfig(page('{"liff_adapter":"Sandbox","liff_id":"1-a"}')).liff_adapter).toBe("line");
  });

  test("refuses a page that the server has not filled in", () => {
    expect(() => readConfig(page("__TSUDOI_CONFIG__"))).toThrow(BadPageConfig);
    expect(() => readOfficeConfig(page("__TSUDOI_CONFIG__"))).toThrow(BadPageConfig);
  });
});

describe("readOfficeConfig", () => {
  test("is an installation with every part where the server says nothing", () => {
    const { features, navigation, audit_actions } = readOfficeConfig(page("{}"));
    expect(features).toEqual(["events", "booking", "scheduling", "shops", "payments"]);
    expect(navigation.map(({ label }) => label)).toEqual(["イベント", "予約", "受付", "職員", "通知", "日程調整", "店舗", "お客さま", "外部との接続", "チケット", "電話する方", "会員名簿", "グループ", "人を調べる", "ホーム", "管理者", "操作履歴", "決済"]);
    expect(audit_actions["EVENT_CREATE"]).toBe("イベントを作成");
    expect(readOfficeConfig(null).features).toEqual(["events", "booking", "scheduling", "shops", "payments"]);
  });

  test("has what the server says, also when that is nothing", () => {
    const given = { features: [], navigation: [], audit_actions: { BOOK: "予約" }, audit_groups: [] };
    expect(readOfficeConfig(page(JSON.stringify(given)))).toMatchObject(given);
  });
});
