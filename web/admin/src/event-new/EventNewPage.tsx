import { getRouteApi } from "@tanstack/react-router";
import { useSession } from "../session/useSession";
import { Progress } from "./sending/Progress";
import { Wizard } from "./Wizard";

const route = getRouteApi("/inside/events/new");

export function EventNewPage() {
  const { username } = useSession();
  const { step = 1, sent } = route.useSearch();
  const navigate = route.useNavigate();
  if (sent !== undefined) return <Progress eventId={sent} />;
  return (
    // Somebody else's draft is somebody else's form.
    <Wizard
      key={username}
      username={username ?? ""}
      step={step}
      go={(to, replace = false) => void navigate({ search: to === 1 ? {} : { step: to }, replace, resetScroll: true })}
      onMade={(eventId) => void navigate({ search: { sent: eventId }, replace: true })}
    />
  );
}
