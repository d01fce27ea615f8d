import { listTime } from "../chat/japan-time";
import type { Person } from "../client/types";
import { Badge } from "../page/Badge";
import { Face } from "../page/Face";
import { Icon } from "../page/Icon";
import { putAway, showPhone } from "../state/choosing";
import { getState, useSelected } from "../state/store";
import { unreadOf } from "../state/unread";
import { friendshipLabel } from "./people-list";

interface PersonRowProps {
  person: Person;
  shown: boolean;
  onPicked: () => void;
}

/** Tapping the person brings the phone to the front; the button beside only puts it on the desk or away. */
export function PersonRow({ person, shown, onPicked }: PersonRowProps) {
  const unread = useSelected((state) => unreadOf(person, state.chats));
  const pick = () => {
    onPicked();
    showPhone(person.user_id);
  };
  const last = person.following ? person.last_message : null;
  return (
    <div class={`person ${person.following ? "" : "not-friend"}`}>
      <button type="button" class="person-main" onClick={pick}>
        <Face person={person} size={40} />
        <span class="person-words">
          <span class="person-name">{person.display_name}</span>
          <span class="person-last">{last ? last.text : friendshipLabel(person)}</span>
        </span>
        <span class="person-side">
          {last && <time dateTime={last.at}>{listTime(Date.parse(last.at), getState().now)}</time>}
          <Badge count={unread} />
        </span>
      </button>
      <button
        type="button"
        class="round"
        aria-pressed={shown}
        aria-label={`${person.display_name}さんの電話を机に出す`}
        title={shown ? "机から片づける" : "机に出す"}
        onClick={() => (shown ? putAway(person.user_id) : showPhone(person.user_id))}
      >
        <Icon name={shown ? "check" : "plus"} />
      </button>
    </div>
  );
}
