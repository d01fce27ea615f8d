import { Button, CloseButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { formatDateTime } from "../../../api/times";
import { AsOfPicker } from "../event-detail/answers/AsOfPicker";
import { messageOf } from "../event-detail/actions/field-errors";
import { asOfInstant } from "../event-detail/times";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { boardQuery, refreshThread } from "../threads/queries";
import type { Board, BoardSlot } from "../threads/thread";
import { AboutCard } from "./AboutCard";
import { Actions } from "./actions/Actions";
import type { ActionChoice } from "./actions/dialog";
import classes from "./Board.module.css";
import { BoardHeading } from "./BoardHeading";
import { HistoryCard } from "./HistoryCard";
import { LateCard } from "./Late";
import { Matrix } from "./Matrix";
import { SlotsPanel } from "./SlotsPanel";
import { Standing } from "./Standing";
import { useLiveBoard } from "./useLiveBoard";
import { sendingText } from "./words";

// The drawer with its form is loaded after the page, so that it is there when somebody presses a name.
const loadDrawer = () => import("./PersonDrawer");
const PersonDrawer = lazy(async () => ({ default: (await loadDrawer()).PersonDrawer }));

interface BoardScreenProps {
  board: Board;
  /** A past moment, `2026-12-01T12:00`; null: now. */
  picked: string | null;
  pick: (moment: string | null) => void;
  /** What became of the thread when it was made, a moment ago. */
  made: { how: "saved" | "sent" | "unsent"; told: number | null } | null;
}

type Outcome = { text: string } | { error: unknown };

export function BoardScreen({ board, picked, pick, made }: BoardScreenProps) {
  const { id } = board.thread;
  const [outcome, setOutcome] = useState<Outcome | null>(() => madeText(made, board.thread.status));
  const [choice, setChoice] = useState<ActionChoice | null>(null);
  const [opened, setOpened] = useState<{ person: string; slotId: string | null } | null>(null);
  const asOf = useMemo(() => (picked === null ? null : asOfInstant(picked, new Date())), [picked]);
  const past = asOf === null ? null : formatDateTime(asOf);
  const before = useQuery({ ...boardQuery(id, asOf), enabled: asOf !== null, staleTime: Number.POSITIVE_INFINITY });
  const phase = useLiveBoard(id, asOf === null);
  const shown = asOf === null ? board : before.data;
  useEffect(() => void loadDrawer().catch(() => {}), []);
  const done = (text: string) => {
    setChoice(null);
    setOutcome({ text });
    refreshThread(id);
  };
  const removeSlot = (slot: BoardSlot) => setChoice({ action: "remove-slot", slot });
  return (
    <>
      <BoardHeading thread={board.thread}>
        <Actions board={board} choice={choice} choose={setChoice} done={done} />
      </BoardHeading>
      <OutcomeNotice outcome={outcome} dismiss={() => setOutcome(null)} />
      {past !== null && (
        <Notice tone="warning" className={classes.notice}>
          <div className={classes.noticeRow}>
            <span>
              <strong className="figures">{past} 時点</strong>の回答を表示しています。いまの様子ではありません。決め方はいまのもので判定し、そのあとに外した方は載りません。
            </span>
            <Button size="sm" onClick={() => pick(null)}>
              いまに戻る
            </Button>
          </div>
        </Notice>
      )}
      {shown ? (
        <div className={classes.page}>
          <Standing board={shown} phase={phase} past={past} call={() => setChoice({ action: "remind" })} />
          <Matrix board={shown} past={past} open={(person, slotId) => setOpened({ person, slotId })} add={() => setChoice({ action: "add-people" })}>
            <AsOfPicker picked={picked} pick={pick} />
          </Matrix>
          {shown.thread.status === "finalized" && <LateCard board={shown} open={(person) => setOpened({ person, slotId: null })} />}
          <SlotsPanel board={shown} past={past !== null} decide={(slot) => setChoice({ action: "finalize", slot })} remove={removeSlot} add={() => setChoice({ action: "add-slots" })} />
          <AboutCard board={board} choose={setChoice} />
          <HistoryCard threadId={id} />
        </div>
      ) : before.error ? (
        <Failure error={before.error} retry={() => void before.refetch()} />
      ) : (
        <ListSkeleton />
      )}
      <Suspense fallback={null}>
        <PersonDrawer
          board={board}
          person={(shown ?? board).people.find(({ invitee_key }) => invitee_key === opened?.person)}
          slotId={opened?.slotId ?? null}
          past={past !== null}
          close={() => setOpened(null)}
          choose={(next) => {
            setOpened(null);
            setChoice(next);
          }}
        />
      </Suspense>
    </>
  );
}

function madeText(made: BoardScreenProps["made"], status: Board["thread"]["status"]): Outcome | null {
  if (made === null) return null;
  if (made.how === "saved") return { text: "下書きに保存しました。まだ、だれにも送られていません。" };
  if (made.how === "sent") return { text: sendingText(made.told) };
  if (status !== "draft") return { text: sendingText(null) };
  return { error: new Error("下書きに保存しましたが、送れませんでした。もう一度「送る」を押してください。") };
}

/** The outcome of the last action. The element is always in the page, because screen readers announce only changes inside it. */
function OutcomeNotice({ outcome, dismiss }: { outcome: Outcome | null; dismiss: () => void }) {
  return (
    <div role="status" className={outcome ? classes.notice : undefined}>
      {outcome && (
        <Notice tone={"error" in outcome ? "danger" : "success"}>
          <div className={classes.noticeRow}>
            <span>{"text" in outcome ? outcome.text : outcome.error instanceof Error ? outcome.error.message : messageOf(outcome.error)}</span>
            <CloseButton aria-label="この知らせを閉じる" size="sm" onClick={dismiss} />
          </div>
        </Notice>
      )}
    </div>
  );
}
