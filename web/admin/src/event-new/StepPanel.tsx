import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { focusInvalid } from "./focus-invalid";
import { type Step, STEPS } from "./rules/field-errors";
import classes from "./Wizard.module.css";

interface StepPanelProps {
  step: Step;
  /** The names of all steps of the form. */
  names?: readonly string[];
  lead?: ReactNode;
  children: ReactNode;
  back?: (() => void) | undefined;
  next?: (() => void) | undefined;
  /** For the step that leads nowhere but sends. */
  onSubmit?: () => void;
  /** Stands in the bar at the foot, which is always in sight. */
  foot?: ReactNode;
  /** In the place of the button that leads on. */
  action?: ReactNode;
}

// The first step that is shown keeps the browser's own starting point, as the pages of the console do.
let moved = false;

/** One step: its heading, its fields, and the bar with the way back and on. */
export function StepPanel({ step, names = STEPS, lead, children, back, next, onSubmit = next, foot, action }: StepPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Whoever is led here because of a wrong field starts at that field.
    if (!focusInvalid(heading.current?.closest("form")) && moved) heading.current?.focus({ preventScroll: true });
    return () => {
      moved = true;
    };
  }, [step]);
  return (
    <form
      noValidate
      aria-label={names[step - 1]}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.();
      }}
    >
      <section className={classes.panel} aria-labelledby="step-heading">
        <h2 id="step-heading" ref={heading} tabIndex={-1} className={classes.heading}>
          {names[step - 1]}
        </h2>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </section>
      <div className={classes.bar}>
        {back && (
          <Button variant="default" size="md" onClick={back}>
            戻る
          </Button>
        )}
        <div className={classes.foot}>{foot}</div>
        {next && (
          <Button type="submit" size="md">
            次へ<span className={classes.nextName}>：{names[step as number]}</span>
          </Button>
        )}
        {action}
      </div>
    </form>
  );
}
