import { describe, expect, it } from "vitest";
import type { AnswersProgress } from "../client/types";
import { doneOf, nobodyAnswers, summaryOfRun } from "./run-words";

const run: AnswersProgress = { running: false, stopped: false, people: 12, attend: 7, absent: 3, failed: 0 };

describe("summaryOfRun", () => {
  it("says who comes and who does not", () => {
    expect(summaryOfRun(run)).toBe("10人が回答しました（出席7人・欠席3人）。");
  });

  it("says what did not arrive and where to look", () => {
    const down = { ...run, attend: 0, absent: 0, failed: 12 };
    expect(summaryOfRun(down)).toBe("だれの回答も届きませんでした（12人）。理由は「通信の記録」で見られます。");
    expect(doneOf(down)).toBe(12);
    expect(summaryOfRun({ ...run, failed: 2 })).toContain("2人の回答は届きませんでした。理由は");
  });

  it("does not call a stopped run a finished one", () => {
    expect(summaryOfRun({ ...run, stopped: true })).toContain("途中でやめました。12人のうち10人");
  });
});

describe("nobodyAnswers", () => {
  it("tells an event that was never sent from a share that is too small", () => {
    expect(nobodyAnswers(0)).toContain("イベントを作って送って");
    expect(nobodyAnswers(3)).toContain("割合を上げて");
  });
});
