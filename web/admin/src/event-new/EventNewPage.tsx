import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useSession } from "../session/useSession";
import { Progress } from "./sending/Progress";
import { Wizard } from "./Wizard";

const route = getRouteApi("/inside/events/new");

export function EventNewPage() {
  const { username } = useSession();
  const { step = 1, sent } = route.useSearch();
  const navigate = route.useNavigate();
  const open = useRef(true);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  if (sent !== undefined) return <Progress eventId={sent} />;
  return (
    // The key gives each user a form of their own, because the draft belongs to the user.
    <Wizard
      key={username}
      username={username ?? ""}
      step={step}
      go={(to, replace = false) => void navigate({ search: to === 1 ? {} : { step: to }, replace, resetScroll: true })}
      onCreated={(eventId) => {
        // A person who has left the form while the request was under way must not be taken away from the new page.
        if (open.current) void navigate({ search: { sent: eventId }, replace: true });
      }}
    />
  );
}
