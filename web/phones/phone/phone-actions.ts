import { createContext } from "preact";
import type { Action } from "../chat/line-action";

/** What a tap inside a phone can do. Bubbles and menus only say what was tapped; the phone does it. */
export interface PhoneActions {
  openLink(link: string): void;
  act(action: Action): void;
  showImage(address: string): void;
}

export const PhoneActionsContext = createContext<PhoneActions>({ openLink: () => {}, act: () => {}, showImage: () => {} });
