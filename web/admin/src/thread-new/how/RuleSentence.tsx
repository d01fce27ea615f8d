import { messageOf } from "../../event-detail/actions/field-errors";
import { InfoIcon, SuccessIcon } from "../../frame/icons";
import classes from "./How.module.css";

interface RuleSentenceProps {
  /** What has to be filled in before there is a sentence; null: nothing. */
  missing: string | null;
  sentence: string | undefined;
  /** Something has changed since. */
  behind: boolean;
  error: unknown;
}

/** What the server understood, in a sentence; it is read out when it changes. */
export function RuleSentence({ missing, sentence, behind, error }: RuleSentenceProps) {
  const problem = missing ?? (error ? messageOf(error) : null);
  return (
    <div className={classes.sentence} data-behind={(missing === null && behind) || undefined} data-missing={problem !== null || undefined} role="status">
      {problem === null ? <SuccessIcon /> : <InfoIcon />}
      <p>{problem ?? sentence ?? "決め方を読み取っています。"}</p>
    </div>
  );
}
