import type { Person } from "../client/types";
import { Badge } from "../page/Badge";
import { Face } from "../page/Face";
import { friendshipLabel } from "../people/people-list";

/** Says above the phone whose it is. */
export function NamePlate({ person, unread, happy }: { person: Person; unread: number; happy: boolean }) {
  return (
    <div class="name-plate">
      <Face person={person} size={36} happy={happy} />
      <div class="name-plate-words">
        <h2 title={person.display_name}>{person.display_name}</h2>
        <p>{friendshipLabel(person)}</p>
      </div>
      <Badge count={unread} />
    </div>
  );
}
