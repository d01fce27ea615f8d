import { Button, CopyButton, Drawer } from "@mantine/core";
import { useRef } from "react";
import { formatDateTime } from "../../../api/times";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import type { Board, BoardPerson } from "../threads/thread";
import type { ActionChoice } from "./actions/dialog";
import classes from "./Board.module.css";
import { TickButtons } from "../telephone/TickButtons";
import { refreshThread } from "../threads/queries";
import { LateForm } from "./Late";
import { OnBehalfForm } from "./OnBehalfForm";
import { mailTrouble, needsCall, personWords, VIA_NAMES } from "./words";

interface PersonDrawerProps {
  board: Board;
  /** Undefined: closed. */
  person: BoardPerson | undefined;
  /** The date whose cell was pressed: the keyboard goes there. */
  slotId: string | null;
  past: boolean;
  close: () => void;
  choose: (choice: ActionChoice) => void;
}

/** One person: how the message went, the own link, and answering on behalf. */
export function PersonDrawer({ board, person, slotId, past, close, choose }: PersonDrawerProps) {
  // While the drawer slides out it still shows whom it was about.
  const last = useRef(person);
  if (person) last.current = person;
  const shown = person ?? last.current;
  return (
    <Drawer opened={person !== undefined} onClose={close} position="right" size="28rem" title={<strong>{shown?.name}</strong>} closeButtonProps={{ "aria-label": "閉じる" }}>
      {shown && <Content key={shown.invitee_key} board={board} person={shown} slotId={slotId} past={past} choose={choose} />}
    </Drawer>
  );
}

function Content({ board, person, slotId, past, choose }: { board: Board; person: BoardPerson; slotId: string | null; past: boolean; choose: PersonDrawerProps["choose"] }) {
  const { status } = board.thread;
  const open = status === "active" || status === "draft";
  const { delivery } = person;
  return (
    <div className={classes.drawer}>
      <section aria-label="連絡と回答">
        <dl>
          <dt>回答</dt>
          <dd>
            {personWords(person, status).text}
            {person.responded_at !== null && `（${formatDateTime(person.responded_at)}${person.via === null ? "" : `、${VIA_NAMES[person.via]}`}${person.answered_by ? ` ${person.answered_by}` : ""}）`}
          </dd>
          {person.comment && (
            <>
              <dt>コメント</dt>
              <dd>「{person.comment}」</dd>
            </>
          )}
          <dt>届き方</dt>
          <dd data-trouble={needsCall(person) || undefined}>{delivery?.text ?? (status === "draft" ? "まだ送っていません" : "記録がありません")}</dd>
          {person.call && !past && (
            <>
              <dt>電話</dt>
              <dd>
                <TickButtons call={person.call} name={person.name} after={() => refreshThread(board.thread.id)} />
              </dd>
            </>
          )}
          {person.email !== "" && (
            <>
              <dt>メール</dt>
              <dd>
                {person.email}
                {mailTrouble(person) !== null && <small className={classes.mailTrouble}>{mailTrouble(person)}</small>}
              </dd>
            </>
          )}
          {person.candidate_reason && (
            <>
              <dt>選んだ理由</dt>
              <dd>{person.candidate_reason}</dd>
            </>
          )}
          {status === "active" && (
            <>
              <dt>回答期限</dt>
              <dd>
                <Moment at={person.expires_at} />
              </dd>
            </>
          )}
        </dl>
        <div className={classes.row}>
          {status !== "draft" && (
            <CopyButton value={person.invite_url}>
              {({ copied, copy }) => (
                <Button variant="default" size="sm" onClick={copy}>
                  <span aria-live="polite">{copied ? "コピーしました" : "この方の回答リンクをコピー"}</span>
                </Button>
              )}
            </CopyButton>
          )}
          {status === "active" && !past && (
            <Button variant="default" size="sm" onClick={() => choose({ action: "remind", keys: [person.invitee_key] })}>
              この方に督促
            </Button>
          )}
          {open && !past && (
            <Button variant="subtle" size="sm" color="var(--red)" onClick={() => choose({ action: "remove-person", person })}>
              外す
            </Button>
          )}
        </div>
      </section>
      <section aria-labelledby="person-on-behalf">
        <h3 id="person-on-behalf">{status === "finalized" ? "締切後の回答（電話・書面）" : "代理で回答（電話・書面）"}</h3>
        {cannotAnswer(status, past) ?? (status === "finalized" ? <LateForm board={board} person={person} /> : <OnBehalfForm board={board} person={person} slotId={slotId} />)}
      </section>
    </div>
  );
}

function cannotAnswer(status: Board["thread"]["status"], past: boolean) {
  if (past) return <Notice tone="info">過去の時点を表示しています。回答を入力するには、いまの表示に戻してください。</Notice>;
  if (status === "draft") return <Notice tone="info">送ったあとに、電話などで聞いた回答を入力できます。</Notice>;
  return status === "cancelled" ? <Notice tone="info">中止になった日程調整には、回答を入力できません。</Notice> : null;
}
