import { SHOWN, type Shown } from "./state";

/** Which list is open stands in the address, so that other screens can lead to it and a reload keeps it. */
export interface MembersSearch {
  tab?: "friends";
  show?: Exclude<Shown, "present">;
}

export function membersSearch(search: Record<string, unknown>): MembersSearch {
  const show = SHOWN.find((one) => one === search["show"]);
  return {
    ...(search["tab"] === "friends" ? { tab: "friends" as const } : {}),
    ...(show === undefined || show === "present" ? {} : { show }),
  };
}
