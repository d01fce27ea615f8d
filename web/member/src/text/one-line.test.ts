import { describe, expect, test } from "vitest";
import { tidyLine } from "./one-line";

describe("tidyLine", () => {
  test("keeps one line", () => {
    expect(tidyLine("一行目\r\n二行目\tつづき")).toBe("一行目 二行目 つづき");
  });

  test("keeps two hundred characters and no half of one", () => {
    expect(tidyLine("あ".repeat(300))).toHaveLength(200);
    expect(tidyLine(`${"あ".repeat(199)}😀`)).toBe("あ".repeat(199));
  });
});
