import { typeIn } from "../slots/search";

export const COVERAGE_STATES = ["notBooked", "booked", "came", "absent"] as const;
export type CoverageState = (typeof COVERAGE_STATES)[number];

export const COVERAGE_NAMES: Record<CoverageState, string> = { notBooked: "未予約", booked: "予約あり", came: "来た", absent: "来なかった" };

export interface CoverageSearch {
  type?: number;
  year?: number;
  state?: CoverageState;
  department?: string;
}

export function coverageSearch(search: Record<string, unknown>): CoverageSearch {
  const year = Number(search["year"]);
  const state = COVERAGE_STATES.find((one) => one === search["state"]);
  const department = ["string", "number"].includes(typeof search["department"]) ? String(search["department"]).slice(0, 50) : "";
  return {
    ...typeIn(search["type"]),
    ...(Number.isInteger(year) && year >= 2000 && year < 2100 ? { year } : {}),
    ...(state ? { state } : {}),
    ...(department ? { department } : {}),
  };
}
