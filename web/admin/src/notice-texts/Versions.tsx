import { Button } from "@mantine/core";
import { actorName } from "../audit/names";
import type { TextDetail } from "./queries";
import classes from "./Texts.module.css";

interface VersionsProps {
  versions: TextDetail["versions"];
  builtIn: string;
  take: (body: string) => void;
}

/** Who changed the text and when; any of them can be taken into the editor again. */
export function Versions({ versions, builtIn, take }: VersionsProps) {
  if (versions.length === 0) return null;
  return (
    <details className={classes.versions}>
      <summary>前の文面（{versions.length}件）</summary>
      <ol>
        {versions.map(({ body, created_at, created_by }, index) => (
          // Versions are only added in front, and all of them are drawn anew then.
          <li key={versions.length - index}>
            <div>
              <span className="figures">{created_at}</span> {actorName(created_by)}
              {body === null && "（はじめの文面に戻した）"}
            </div>
            <pre>{body ?? builtIn}</pre>
            <Button variant="default" size="compact-sm" aria-label={`${created_at}の文面を編集欄に入れる`} onClick={() => take(body ?? builtIn)}>
              編集欄に入れる
            </Button>
          </li>
        ))}
      </ol>
    </details>
  );
}
