import { useEffect, useState } from "preact/hooks";
import { AnswersDialog } from "../answers/AnswersDialog";
import { RunStrip } from "../answers/RunStrip";
import { CallsDrawer } from "../calls/CallsDrawer";
import { FaultsDrawer } from "../faults/FaultsDrawer";
import { FaultsStrip } from "../faults/FaultsStrip";
import { AddFriend } from "../people/AddFriend";
import { PeopleDrawer } from "../people/PeopleDrawer";
import { useSelected } from "../state/store";
import { titleWith, totalUnread } from "../state/unread";
import { ConnectionNotice } from "./ConnectionNotice";
import { OtherPages } from "./OtherPages";
import { FailedPage, LoadingStage } from "./Placeholders";
import { Stage } from "./Stage";
import { TopBar } from "./TopBar";

type Open = "people" | "add" | "answers" | "faults" | "pages" | null;

export function App() {
  const phase = useSelected((state) => state.phase);
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  if (phase === "failed") return <FailedPage />;
  return (
    <>
      <TopBar
        onPeople={() => setOpen("people")}
        onAdd={() => setOpen("add")}
        onAnswers={() => setOpen("answers")}
        onFaults={() => setOpen("faults")}
        onPages={() => setOpen("pages")}
      />
      <FaultsStrip onOpen={() => setOpen("faults")} />
      <RunStrip onOpen={() => setOpen("answers")} />
      <ConnectionNotice />
      {phase === "loading" ? (
        <LoadingStage />
      ) : (
        <Stage onPeople={() => setOpen("people")} onAdd={() => setOpen("add")} />
      )}
      <CallsDrawer />
      {open === "people" && <PeopleDrawer onClose={close} onAdd={() => setOpen("add")} />}
      {open === "add" && <AddFriend onClose={close} />}
      {open === "answers" && <AnswersDialog onClose={close} />}
      {open === "faults" && <FaultsDrawer onClose={close} onPeople={() => setOpen("people")} />}
      {open === "pages" && <OtherPages onClose={close} />}
      <Announcements />
    </>
  );
}

/** The one live region of the page: several chats that each speak for themselves would talk over each other. */
function Announcements() {
  const announcement = useSelected((state) => state.announcement);
  const people = useSelected((state) => state.people);
  const chats = useSelected((state) => state.chats);
  const unread = totalUnread(people, chats);
  useEffect(() => {
    document.title = titleWith(unread);
  }, [unread]);
  return (
    <p class="for-ears" role="status" aria-live="polite">
      {announcement}
    </p>
  );
}
