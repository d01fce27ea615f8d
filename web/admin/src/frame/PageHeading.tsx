import { type ReactNode, useEffect, useRef } from "react";
import classes from "./PageHeading.module.css";

// The first page after a load keeps the browser's own starting point; every later one moves the
// focus to its heading, because nothing else tells a screen reader that the page has changed.
let moved = false;

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title}｜集い 管理画面`;
    return () => {
      moved = true;
    };
  }, [title]);
}

interface PageHeadingProps {
  title: string;
  children?: ReactNode;
  /** Stands beside the heading: a count, an "as of" time, a button. */
  aside?: ReactNode;
}

export function PageHeading({ title, children, aside }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(title);
  useEffect(() => {
    if (moved) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className={classes.header}>
      <div className={classes.row}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside && <div className={classes.aside}>{aside}</div>}
      </div>
      {children && <p className={classes.lead}>{children}</p>}
    </header>
  );
}
