import { sentenceFor } from "../client/request";
import { type FriendshipStep, sandbox } from "../client/sandbox";
import { webhookTrouble } from "../client/webhook-answer";
import { loadChat } from "../state/loading";
import { refreshPeople } from "../state/people-changes";
import { useSingleFlight } from "../state/single-flight";

/** Adding, blocking and unblocking: posts once, then shows what the product answered when that was not a yes. */
export function useFriendship(
  userId: string,
  setTrouble: (trouble: string | null) => void,
): [boolean, (step: FriendshipStep) => Promise<void>] {
  const [busy, once] = useSingleFlight();
  const take = (step: FriendshipStep) =>
    once(async () => {
      try {
        const answer = await sandbox.friendship(userId, step);
        await Promise.all([refreshPeople(), loadChat(userId)]);
        setTrouble(webhookTrouble(answer.webhook));
      } catch (failure) {
        setTrouble(sentenceFor(failure));
      }
    });
  return [busy, take];
}
