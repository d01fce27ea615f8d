import { useCallback, useMemo, useState } from "preact/hooks";
import type { Action } from "../chat/line-action";
import { destinationOf } from "../chat/link-destination";
import { sentenceFor } from "../client/request";
import { sandbox } from "../client/sandbox";
import type { SandboxConfig } from "../client/types";
import { webhookTrouble } from "../client/webhook-answer";
import { loadChat } from "../state/loading";
import { useSingleFlight } from "../state/single-flight";
import type { PhoneActions } from "./phone-actions";

/** A page that is open in the phone's own browser. */
export interface OpenPage {
  url: string;
  liff: boolean;
}

export function usePhoneActions(userId: string, config: SandboxConfig, showImage: (address: string) => void) {
  const [page, setPage] = useState<OpenPage | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [, once] = useSingleFlight();

  const actions = useMemo<PhoneActions>(() => {
    function openLink(link: string): void {
      const { kind, url } = destinationOf(link, config, userId);
      if (kind === "tab") window.open(url, "_blank", "noopener,noreferrer");
      else if (kind !== "nowhere") setPage({ url, liff: kind === "liff" });
    }
    async function tell(action: Exclude<Action, { kind: "open" }>): Promise<void> {
      try {
        const answer = await (action.kind === "say"
          ? sandbox.say(userId, action.text)
          : sandbox.postback(userId, action.data));
        setTrouble(webhookTrouble(answer.webhook));
        await loadChat(userId);
      } catch (failure) {
        setTrouble(sentenceFor(failure));
      }
    }
    const act = (action: Action) => (action.kind === "open" ? openLink(action.uri) : void once(() => tell(action)));
    return { openLink, act, showImage };
  }, [userId, config, showImage, once]);

  const closePage = useCallback(() => setPage(null), []);
  return { actions, page, closePage, trouble, setTrouble };
}
