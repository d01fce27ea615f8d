import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import markUrl from "../brand/mark.svg";
import { here, note, useNoticeEnd } from "./router";

// The first screen keeps the browser's own starting point; only later ones move the focus.
let arrived = false;

interface ScreenProps {
  title: string;
  /** The visible heading, when it says more than the title of the page. */
  heading?: ComponentChildren;
  /** A `BackLink` to the screen above this one. */
  back?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of every screen: names the page and, after a move, brings screen readers to its heading. */
export function Screen({ title, heading = title, back, children }: ScreenProps): JSX.Element {
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title}｜集い`;
  }, [title]);
  useEffect(() => {
    if (arrived) top.current?.focus({ preventScroll: true });
    arrived = true;
  }, []);
  return (
    <>
      <Header back={back} />
      <main class="screen">
        <Notice />
        <h1 ref={top} tabIndex={-1}>
          {heading}
        </h1>
        {children}
      </main>
    </>
  );
}

/** The line above every screen: the way back, where there is one, and the product's name. */
export function Header({ back }: { back?: ComponentChildren }): JSX.Element {
  return (
    <header class="brand">
      {back}
      <span class="brand-name">
        <img src={markUrl} alt="" width="28" height="28" />
        <span>集い</span>
      </span>
    </header>
  );
}

/** What the screen before left to say. It is written a moment after the region appears, so that it is read out. */
function Notice(): JSX.Element {
  const [text, setText] = useState("");
  useEffect(() => {
    const { notice = "" } = here();
    if (!notice) return;
    setText(notice);
    note({ notice: "" });
  }, []);
  useNoticeEnd(() => setText(""));
  return (
    <div role="status">
      {text && <p class="say say-good">{text}</p>}
    </div>
  );
}
