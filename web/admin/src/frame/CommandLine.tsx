import { Button, CopyButton } from "@mantine/core";
import classes from "./CommandLine.module.css";

/** What somebody has to type on the server, with a button that copies it. */
export function CommandLine({ command }: { command: string }) {
  return (
    <div className={classes.command}>
      <code>{command}</code>
      <CopyButton value={command}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy}>
            <span aria-live="polite">{copied ? "コピーしました" : "コピー"}</span>
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
