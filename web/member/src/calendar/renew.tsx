import type { JSX } from "preact";
import { RenewLinks } from "../../../kit/renew-links";
import { useSession } from "../session";

interface RenewCalendarProps {
  eventId: number;
  /** Gets the new address of the event's calendar file. */
  renewed: (fileUrl: string) => void;
}

export function RenewCalendar({ eventId, renewed }: RenewCalendarProps): JSX.Element {
  const { client } = useSession();
  async function renew(): Promise<void> {
    await client.post("/api/liff/calendar-keys/renewal", { confirm: true });
    renewed((await client.get("/api/liff/events/{event_id}", { event_id: eventId })).calendar_url);
  }
  return <RenewLinks scope="どのイベントのものも" renew={renew} />;
}
