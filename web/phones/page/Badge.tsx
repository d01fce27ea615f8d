import { badgeText } from "../state/unread";

export function Badge({ count }: { count: number }) {
  if (count <= 0) return null;
  return (
    <span class="badge">
      {badgeText(count)}
      <span class="for-ears">件の未読</span>
    </span>
  );
}
