import type { ReactNode } from "react";
import inputs from "../events-list/Input.module.css";
import classes from "./Field.module.css";

interface FieldProps {
  id: string;
  label: string;
  required?: boolean;
  error: string | undefined;
  hint?: ReactNode;
  /** How much of a text there is, and how much there may be. */
  count?: { length: number; max: number };
  children: (aria: FieldAria) => ReactNode;
}

export interface FieldAria {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string;
  "aria-required": boolean;
  className: string;
}

/** A label, a field, and one line below it that holds its error or a hint: nothing moves when an error appears. */
export function Field({ id, label, required = false, error, hint, count, children }: FieldProps) {
  const foot = `${id}-foot`;
  const wrong = error !== undefined;
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.label}>
        {label}
        {required && <Required />}
      </label>
      {children({ id, className: inputs.input ?? "", "aria-invalid": wrong, "aria-describedby": foot, "aria-required": required })}
      <div className={classes.foot} id={foot}>
        <FieldError>{error}</FieldError>
        {!wrong && <span className={classes.hint}>{hint}</span>}
        {count && <Count {...count} />}
      </div>
    </div>
  );
}

export function Required() {
  return <span className={classes.required}>必須</span>;
}

/** Stands empty from the start, because screen readers only read out what changes inside what they know. */
export function FieldError({ children }: { children: string | undefined }) {
  return (
    <span role="alert" className={classes.error}>
      {children}
    </span>
  );
}

function Count({ length, max }: { length: number; max: number }) {
  const over = length - max;
  return (
    <span className={classes.count} data-over={over > 0 || undefined}>
      <span className="figures">
        {length.toLocaleString("ja-JP")} / {max.toLocaleString("ja-JP")}
      </span>
      文字{over > 0 && `（${over.toLocaleString("ja-JP")}文字多い）`}
    </span>
  );
}
