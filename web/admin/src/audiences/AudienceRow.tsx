import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { DragEvent, MouseEvent } from "react";
import classes from "./AudiencesPage.module.css";
import { DownIcon, GripIcon, UpIcon } from "./arrows";
import type { Audience } from "./queries";

interface AudienceRowProps {
  audience: Audience;
  index: number;
  total: number;
  /** Where the line stands that shows the place of a dragged row. */
  mark: "before" | "after" | undefined;
  dragged: boolean;
  move: (to: number, button: HTMLButtonElement) => void;
  drag: { begin: () => void; over: (gap: number) => void; end: () => void };
  rename: (audience: Audience) => void;
  remove: (audience: Audience) => void;
}

export function AudienceRow({ audience, index, total, mark, dragged, move, drag, rename, remove }: AudienceRowProps) {
  const { id, name, member_count } = audience;
  function begin(event: DragEvent<HTMLElement>): void {
    const row = event.currentTarget.closest("li");
    if (row) event.dataTransfer.setDragImage(row, 20, 20);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", name);
    drag.begin();
  }
  function over(event: DragEvent<HTMLElement>): void {
    const box = event.currentTarget.getBoundingClientRect();
    drag.over(event.clientY < box.top + box.height / 2 ? index : index + 1);
  }
  // Not `disabled`: at the end of the way the focus has to stay on the button.
  const arrow = (to: number, possible: boolean, label: string) => ({
    type: "button" as const,
    className: classes.arrow,
    "aria-label": `${name}を${label}`,
    title: label,
    "aria-disabled": !possible,
    onClick: (event: MouseEvent<HTMLButtonElement>) => possible && move(to, event.currentTarget),
  });
  return (
    <li className={classes.row} data-mark={mark} data-dragged={dragged || undefined} onDragOver={over}>
      {total > 1 && (
        <div className={classes.sorting}>
          <span className={classes.grip} draggable onDragStart={begin} onDragEnd={drag.end} title="つかんで並べ替える" aria-hidden="true">
            <GripIcon />
          </span>
          <button {...arrow(index - 1, index > 0, "上へ")}>
            <UpIcon />
          </button>
          <button {...arrow(index + 1, index + 1 < total, "下へ")}>
            <DownIcon />
          </button>
        </div>
      )}
      <div className={classes.what}>
        <Link to="/audiences/$audienceId" params={{ audienceId: String(id) }} className={classes.name} draggable={false}>
          {name}
        </Link>
        <span className={classes.count} data-empty={member_count === 0 || undefined}>
          {member_count === 0 ? "まだだれも入っていません" : `${member_count.toLocaleString("ja-JP")}人`}
        </span>
      </div>
      <div className={classes.actions}>
        <Button
          variant="light"
          size="sm"
          aria-label={`${name}に入る人を選ぶ`}
          renderRoot={(props) => <Link to="/audiences/$audienceId" params={{ audienceId: String(id) }} draggable={false} {...props} />}
        >
          入る人を選ぶ
        </Button>
        <Button variant="default" size="sm" aria-label={`${name}の名前を変える`} onClick={() => rename(audience)}>
          名前を変える
        </Button>
        <Button variant="default" size="sm" c="var(--red)" aria-label={`${name}を削除`} onClick={() => remove(audience)}>
          削除
        </Button>
      </div>
    </li>
  );
}
