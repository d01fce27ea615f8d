import { Button, Menu, Modal, Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { useSession } from "../../session/useSession";
import type { Board } from "../../threads/thread";
import classes from "../Board.module.css";
import { askedLately } from "../words";
import { type ActionChoice, TITLES } from "./dialog";

const loadDialog = () => import("./ThreadDialog");
const ThreadDialog = lazy(async () => ({ default: (await loadDialog()).ThreadDialog }));
const WIDE: ReadonlySet<ActionChoice["action"]> = new Set(["add-slots", "add-people", "rule"]);

interface ActionsProps {
  board: Board;
  choice: ActionChoice | null;
  choose: (choice: ActionChoice | null) => void;
  done: (text: string) => void;
}

/** The buttons for everything that can still be done with the thread. */
export function Actions({ board, choice, choose, done }: ActionsProps) {
  const { expired } = useSession();
  // The dialog is loaded after the page, so that it is there when somebody presses a button.
  useEffect(() => void loadDialog().catch(() => {}), []);
  const close = () => choose(null);
  return (
    <div className={classes.actions}>
      <Buttons board={board} choose={choose} />
      <Button variant="default" renderRoot={(props) => <Link to="/threads/$threadId/print" params={{ threadId: board.thread.id }} {...props} />}>
        印刷
      </Button>
      {board.thread.status !== "cancelled" && (
        <Button variant="subtle" color="var(--red)" onClick={() => choose({ action: "cancel" })}>
          中止
        </Button>
      )}
      <Modal
        // The question who is there comes first, and two dialogs would take the keyboard from each other.
        opened={choice !== null && !expired}
        onClose={close}
        closeOnClickOutside={false}
        title={<strong>{choice && TITLES[choice.action]}</strong>}
        size={choice && WIDE.has(choice.action) ? "60rem" : "lg"}
        // The content disappears at once, so an exit animation would show an empty box.
        transitionProps={{ exitDuration: 0 }}
        closeButtonProps={{ "aria-label": "閉じる" }}
      >
        {choice && (
          <Suspense fallback={<Skeleton height={160} role="status" aria-label="読み込んでいます" />}>
            <ThreadDialog choice={choice} board={board} done={done} close={close} />
          </Suspense>
        )}
      </Modal>
    </div>
  );
}

function Buttons({ board, choose }: Pick<ActionsProps, "board" | "choose">) {
  const { status } = board.thread;
  const open = { "add-slots": "候補日を追加", "add-people": "人を追加", rule: "決め方を変える", edit: "内容・期限を変える" } as const;
  const others = (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button variant="default">変更する ▾</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(open) as (keyof typeof open)[]).map((action) => (
          <Menu.Item key={action} onClick={() => choose({ action })}>
            {open[action]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
  if (status === "draft") {
    return (
      <>
        <Button disabled={board.people.length === 0 || board.slots.length === 0} onClick={() => choose({ action: "send" })}>
          送る
        </Button>
        {others}
      </>
    );
  }
  if (status === "active") {
    const satisfied = board.evaluation.state === "satisfied";
    return (
      <>
        <Button variant={satisfied || askedLately(board, Date.now()) !== null ? "default" : "filled"} onClick={() => choose({ action: "remind" })}>
          督促する
        </Button>
        <Button variant={satisfied ? "filled" : "default"} disabled={board.slots.length === 0} onClick={() => choose({ action: "finalize" })}>
          決定する
        </Button>
        {others}
      </>
    );
  }
  if (status === "finalized") {
    return (
      <>
        {board.thread.event_id === null && board.event_take && (
          <Button onClick={() => choose({ action: "event" })}>
            イベントにする
          </Button>
        )}
        <Button variant="default" onClick={() => choose({ action: "add-people" })}>
          人を追加
        </Button>
        <Button variant="default" onClick={() => choose({ action: "reopen" })}>
          決定を取り消す
        </Button>
      </>
    );
  }
  return null;
}
