import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Screen } from "../../../kit/screen";
import { Tabs } from "./tabs";

interface StaffScreenProps {
  title: string;
  heading?: ComponentChildren;
  back?: ComponentChildren;
  /** Uses the room of a wide window. */
  wide?: boolean;
  children: ComponentChildren;
}

/** The frame of every screen behind the log-in: the menu, and whether there is a network. */
export function StaffScreen({ title, heading = title, back, wide = false, children }: StaffScreenProps): JSX.Element {
  const online = useOnline();
  return (
    <div class={wide ? "framed framed-wide" : "framed"}>
      <Tabs />
      <Screen title={title} heading={heading} back={back}>
        <div role="status">{!online && <p class="say say-warn">インターネットにつながっていません。表示は、前に読み込んだ内容です。</p>}</div>
        {children}
      </Screen>
    </div>
  );
}

function useOnline(): boolean {
  const [online, setOnline] = useState(() => navigator.onLine !== false);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine !== false);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);
  return online;
}
