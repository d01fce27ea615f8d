import { type Step, STEPS } from "./rules/field-errors";
import classes from "./Steps.module.css";

interface StepsProps {
  names?: readonly string[];
  label?: string;
  current: Step;
  /** Steps up to here may be opened; the others wait until something before them is filled in. */
  furthest: Step;
  go: (step: Step) => void;
}

export function Steps({ names = STEPS, label = "イベント作成の手順", current, furthest, go }: StepsProps) {
  return (
    <nav aria-label={label} className={classes.nav}>
      <ol className={classes.steps}>
        {names.map((name, index) => {
          const step = (index + 1) as Step;
          const done = step < current;
          return (
            <li key={name} data-done={done || undefined} data-current={step === current || undefined}>
              <button
                type="button"
                aria-current={step === current ? "step" : undefined}
                disabled={step > furthest}
                onClick={() => step !== current && go(step)}
              >
                <span className={classes.number} aria-hidden="true">
                  {done ? <Tick /> : step}
                </span>
                <span className={classes.name}>
                  <span className={classes.hidden}>{`手順${step}${done ? "（入力済み）" : ""} `}</span>
                  {name}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function Tick() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" strokeLinejoin="round">
      <path d="m3.5 8.5 3 3 6-7" />
    </svg>
  );
}
