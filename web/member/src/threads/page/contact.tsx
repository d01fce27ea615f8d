import type { JSX } from "preact";
import type { ThreadDetail } from "../shapes";

/** The way to the organiser, where answering here is no longer possible. */
export function Contact({ thread }: { thread: ThreadDetail }): JSX.Element | null {
  if (thread.contact_address === null) return null;
  return (
    <p>
      <a href={`mailto:${thread.contact_address}?subject=${encodeURIComponent(thread.title)}`}>{thread.organizer_name}にメールする</a>
    </p>
  );
}
