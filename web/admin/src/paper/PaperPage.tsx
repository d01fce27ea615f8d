import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { PageHeading } from "../frame/PageHeading";
import classes from "./Paper.module.css";

interface PaperPageProps {
  title: string;
  /** What paper it is, and that what is seen below is what is printed. */
  lead: string;
  /** The link to the page that this one is the paper of. */
  back: ReactNode;
  children: ReactNode;
}

/** A page that is made for printing: what is around its sheet stays on the screen. */
export function PaperPage({ title, lead, back, children }: PaperPageProps) {
  return (
    <>
      <div data-screen-only>
        {back}
        <PageHeading title={title}>{lead}</PageHeading>
      </div>
      {children}
    </>
  );
}

/** What is chosen before printing, and the button. */
export function PaperTools({ button, disabled, children }: { button: string; disabled: boolean; children?: ReactNode }) {
  return (
    <div data-screen-only className={classes.tools}>
      {children}
      <Button disabled={disabled} onClick={() => window.print()}>
        {button}
      </Button>
    </div>
  );
}

/** The sheet itself. A wide one is printed across the paper and scrolls sideways on a narrow screen. */
export function Sheet({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <article className={classes.sheet} data-paper={wide ? "wide" : undefined}>
      {children}
    </article>
  );
}
