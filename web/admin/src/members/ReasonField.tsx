import { Textarea } from "@mantine/core";
import { ApiError } from "../../../api/errors";
import classes from "./Dialogs.module.css";

const MAX_LENGTH = 200;

/** What is wrong with a reason, before it is sent and after the server has seen it. */
export function reasonError(reason: string, error: unknown, label = "理由"): string | null {
  if (reason.trim() === "") return `${label}を書いてください。操作履歴に残ります。`;
  if ([...reason.trim()].length > MAX_LENGTH) return `${MAX_LENGTH}文字までです。短くしてください。`;
  const named = error instanceof ApiError && error.details.some(({ field }) => field === "reason" || field === "note");
  return named ? "使えない文字が入っています。入力し直してください。" : null;
}

interface ReasonFieldProps {
  label: string;
  /** Usual reasons, one press each: nobody in a hurry writes sentences. */
  usual: readonly string[];
  value: string;
  error: string | null;
  change: (reason: string) => void;
}

export function ReasonField({ label, usual, value, error, change }: ReasonFieldProps) {
  return (
    <div>
      <Textarea
        label={label}
        description="操作履歴に残ります。"
        required
        withAsterisk={false}
        autosize
        minRows={2}
        maxRows={5}
        size="md"
        value={value}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <div className={classes.usual} role="group" aria-label="よくある理由">
        {usual.map((reason) => (
          <button key={reason} type="button" onClick={() => change(reason)}>
            {reason}
          </button>
        ))}
      </div>
    </div>
  );
}
