import { useState } from "preact/hooks";
import { sentenceFor } from "../client/request";
import { sandbox } from "../client/sandbox";
import { refreshConditions } from "../state/conditions";
import { useSingleFlight } from "../state/single-flight";
import { getState } from "../state/store";
import { isUsedUp, withSwitch } from "./switches";

/** One change at a time: each one rewrites the whole list of rules. */
export function useConditions() {
  const [trouble, setTrouble] = useState<string | null>(null);
  // Two different switches in quick succession are no double click, so there is no pause.
  const [busy, once] = useSingleFlight(0);
  const change = (what: () => Promise<unknown>) =>
    once(async () => {
      try {
        await what();
        await refreshConditions();
        setTrouble(null);
      } catch (failure) {
        setTrouble(sentenceFor(failure));
      }
    });
  return {
    busy,
    trouble,
    turn: (key: string, on: boolean) =>
      change(async () => sandbox.setFaults(withSwitch(await sandbox.faults(), key, on))),
    turnQuota: (on: boolean) => change(() => (on ? spendAll() : sandbox.setQuota({ type: "none" }))),
    restore: () =>
      change(async () => {
        await sandbox.clearFaults();
        if (isUsedUp(getState().quota)) await sandbox.setQuota({ type: "none" });
      }),
  };
}

/** The limit comes down to what was sent, instead of the count going up: so it can be taken back without a trace. */
async function spendAll(): Promise<unknown> {
  const { total_usage } = await sandbox.quota();
  return sandbox.setQuota({ type: "limited", value: total_usage });
}
