import { Avatar } from "@mantine/core";
import type { Friend } from "./friend";

/** LINE's picture where there is one, otherwise the first letter of the name. */
export function Portrait({ friend }: { friend: Friend }) {
  const letter = [...(friend.display_name?.trim() ?? "")][0] ?? "？";
  return (
    <Avatar
      src={friend.picture_url}
      alt=""
      size={40}
      radius="xl"
      color="matsu"
      imageProps={{ referrerPolicy: "no-referrer", loading: "lazy" }}
      aria-hidden="true"
    >
      {letter}
    </Avatar>
  );
}
