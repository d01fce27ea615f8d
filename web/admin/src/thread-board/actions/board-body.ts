import type { Body } from "../../../../api/shapes";
import { chosenOf, wireSlot } from "../../threads/slot-times";
import type { Board } from "../../threads/thread";

type NewThread = Body<"/api/threads", "post">;

/** The thread as if it were made anew, for the server's preview of further invitations and of another rule. */
export function likeNew({ thread, slots }: Board): Partial<NewThread> {
  const coming = slots.filter(({ begun }) => !begun).map((slot) => wireSlot(chosenOf(slot)));
  const deadline = thread.deadline_at !== null && Date.parse(thread.deadline_at) > Date.now() ? { deadline_at: thread.deadline_at } : {};
  return {
    title: thread.title?.trim() || "日程調整",
    ...(thread.description ? { description: thread.description } : {}),
    ...(thread.place ? { place: thread.place } : {}),
    ...(coming.length > 0 ? { slots: coming } : {}),
    ...deadline,
    ...(thread.mail_subject ? { mail_subject: thread.mail_subject } : {}),
    maybe_allowed: thread.maybe_allowed,
    answers_visible: thread.answers_visible,
    send: false,
  };
}

/** The people of the board as if they were chosen one by one. */
export function peopleOf({ people }: Board) {
  const members = people.flatMap(({ member_id }) => (member_id === null ? [] : [member_id]));
  const others = people.filter(({ member_id, email }) => member_id === null && email !== "").map(({ name, email }) => ({ name, email }));
  return { ...(members.length > 0 ? { member_ids: members } : {}), ...(others.length > 0 ? { invitees: others } : {}) };
}

/**
 * An order for the people who were shown, and for nobody else: whole groups would bring those in again who were asked
 * before, and the server would remind them.
 */
export function onlyThese({ people }: Pick<Board, "people">, pasted: readonly { name: string; email: string }[], shown: readonly { invitee_key: string }[]) {
  const wanted = new Set(shown.map(({ invitee_key }) => invitee_key));
  const known = new Map(people.filter(({ email }) => email !== "").map(({ email, invitee_key }) => [email.toLowerCase(), invitee_key]));
  return {
    member_ids: [...wanted].filter((key) => key.startsWith("lm:")).map((key) => Number(key.slice(3))),
    invitees: pasted.filter(({ email }) => {
      const key = known.get(email.toLowerCase());
      return key === undefined || wanted.has(key);
    }),
  };
}
