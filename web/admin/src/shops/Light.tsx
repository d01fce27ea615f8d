import type { FC } from "react";
import { Badge } from "../booking/Badge";
import { ClockIcon, DangerIcon, QuestionIcon, SuccessIcon, WarningIcon } from "../frame/icons";
import classes from "./Light.module.css";
import { LIGHTS, type LightState, lightText, type OutsideSystem, pauseText, systemName } from "./systems";

const ICONS: Record<LightState, FC> = { ok: SuccessIcon, warn: WarningIcon, fail: DangerIcon, unknown: QuestionIcon, stub: QuestionIcon };

/** The state of an outside system: a word and a drawing, so that nobody has to tell red from green. */
export function Light({ light }: { light: LightState }) {
  const Icon = ICONS[light];
  return (
    <Badge tone={LIGHTS[light].tone}>
      <span className={classes.light}>
        <Icon />
        {LIGHTS[light].name}
      </span>
    </Badge>
  );
}

/** A system by its name, with its light, its pause if there is one, and with `why` the reason of the light. */
export function SystemLight({ system, why = false }: { system: OutsideSystem; why?: boolean }) {
  const pause = pauseText(system);
  return (
    <div className={classes.system}>
      <span className={classes.row}>
        <span className={classes.name}>{systemName(system.system)}</span>
        <Light light={system.light} />
      </span>
      {pause !== null && (
        <span className={classes.pause}>
          <ClockIcon />
          {pause}
        </span>
      )}
      {why && <small className={classes.why}>{lightText(system)}</small>}
    </div>
  );
}
