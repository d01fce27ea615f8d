import { useRef, useState } from "preact/hooks";
import { ImageViewer } from "../chat/ImageViewer";
import type { Person, SandboxConfig } from "../client/types";
import { phoneElementId } from "../state/choosing";
import { useSelected } from "../state/store";
import { unreadOf } from "../state/unread";
import { AppScreen } from "./AppScreen";
import { NamePlate } from "./NamePlate";
import { PhoneActionsContext } from "./phone-actions";
import { Sheet } from "./Sheet";
import { StatusBar } from "./StatusBar";
import { useArrival } from "./use-arrival";
import { usePhoneActions } from "./use-phone-actions";
import { useReading } from "./use-reading";

/** How many colours of phone cases the style sheet has. */
const TONES = 6;

/** One person's phone, from its case to what is on its screen. */
export function Phone({ userId }: { userId: string }) {
  const person = useSelected((state) => state.people.find((one) => one.user_id === userId));
  const config = useSelected((state) => state.config);
  // In the order of arrival, so that neighbours on the stage rarely have the same case.
  const tone = useSelected((state) => state.people.findIndex((one) => one.user_id === userId) % TONES);
  return person && config ? <LivePhone person={person} config={config} tone={tone} /> : null;
}

function LivePhone({ person, config, tone }: { person: Person; config: SandboxConfig; tone: number }) {
  const place = useRef<HTMLElement>(null);
  const [image, setImage] = useState<string | null>(null);
  const { actions, page, closePage, trouble, setTrouble } = usePhoneActions(person.user_id, config, setImage);
  const unread = useSelected((state) => unreadOf(person, state.chats));
  const justArrived = useArrival(person.user_id);
  useReading(place, person.user_id, unread, page !== null);
  return (
    <section class="phone" ref={place} id={phoneElementId(person.user_id)} aria-label={`${person.display_name}さんの電話`}>
      <NamePlate person={person} unread={unread} happy={justArrived} />
      <div class={`device tone-${tone} ${justArrived ? "buzz" : ""}`}>
        <div class="screen">
          <StatusBar />
          <PhoneActionsContext.Provider value={actions}>
            <AppScreen person={person} config={config} covered={page !== null} trouble={trouble} setTrouble={setTrouble} />
          </PhoneActionsContext.Provider>
          {page && <Sheet page={page} config={config} unread={unread} onClose={closePage} />}
        </div>
      </div>
      {image !== null && <ImageViewer address={image} onClose={() => setImage(null)} />}
    </section>
  );
}
