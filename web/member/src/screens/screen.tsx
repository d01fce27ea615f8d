import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import markUrl from "../../../brand/mark.svg";

// The first screen keeps the browser's own starting point; only later ones move the focus.
let arrived = false;

interface ScreenProps {
  title: string;
  /** The visible heading, when it says more than the title of the page. */
  heading?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of every screen: names the page and, after a move, brings screen readers to its heading. */
export function Screen({ title, heading = title, children }: ScreenProps): JSX.Element {
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
      <Brand />
      <main class="screen">
        <h1 ref={top} tabIndex={-1}>
          {heading}
        </h1>
        {children}
      </main>
    </>
  );
}

export function Brand(): JSX.Element {
  return (
    <header class="brand">
      <img src={markUrl} alt="" width="28" height="28" />
      <span>集い</span>
    </header>
  );
}
