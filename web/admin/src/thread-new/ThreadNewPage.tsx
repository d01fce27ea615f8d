import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useSession } from "../session/useSession";
import type { BoardSearch } from "../threads/search";
import { Wizard } from "./Wizard";

const route = getRouteApi("/inside/threads/new");

export function ThreadNewPage() {
  const { username } = useSession();
  const { step = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const leave = useNavigate();
  const open = useRef(true);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  const made = (threadId: string, search: BoardSearch) => {
    // A person who has left the form while the request was under way must not be taken away from the new page.
    if (open.current) void leave({ to: "/threads/$threadId", params: { threadId }, search, replace: true });
  };
  return (
    // The key gives each user a form of their own, because the draft belongs to the user.
    <Wizard
      key={username}
      username={username ?? ""}
      step={step}
      go={(to, replace = false) => void navigate({ search: to === 1 ? {} : { step: to }, replace, resetScroll: true })}
      made={made}
    />
  );
}
