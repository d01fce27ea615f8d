import { sandbox } from "../client/sandbox";
import { update } from "./store";

/** What is made to go wrong, and how many messages the month has left. */
export async function refreshConditions(): Promise<void> {
  const [faults, quota] = await Promise.all([sandbox.faults(), sandbox.quota()]);
  update({ faults, quota });
}
