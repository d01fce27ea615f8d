import { Button, Checkbox, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../../api/errors";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { Quota } from "../../event-detail/actions/Quota";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { Failure } from "../../frame/Failure";
import { Notice } from "../../frame/Notice";
import { wirePeople } from "../../thread-new/draft";
import { parseAddresses, pastedProblem } from "../../thread-new/who/addresses";
import { PeopleChoice, type PeopleFields } from "../../thread-new/who/PeopleChoice";
import { creationQuery } from "../../threads/queries";
import { BEYOND_LIMIT, peopleCount, type ThreadPreview } from "../../threads/thread";
import { Ways } from "../../threads/Ways";
import { likeNew, onlyThese } from "./board-body";
import { SendingFailed, Told } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useSaving } from "./useSaving";

/** Asks further people, in two steps: choose them, then look at what they get. */
export function AddPeopleDialog({ board, done, close }: DialogProps) {
  const [chosen, setChosen] = useState<PeopleFields>({ audienceIds: [], memberIds: [], pasted: "" });
  const [tried, setTried] = useState(false);
  const [checking, setChecking] = useState(false);
  const problem = pastedProblem(parseAddresses(chosen.pasted));
  const nobody = Object.keys(wirePeople(chosen)).length === 0;
  if (checking) return <Checking {...{ board, chosen, done }} back={() => setChecking(false)} />;
  return (
    <div className={classes.stack}>
      <PeopleChoice
        chosen={chosen}
        change={(fields) => setChosen({ ...chosen, ...fields })}
        errors={{
          people: tried && nobody ? "追加する人を1人以上選んでください" : undefined,
          pasted: tried && problem !== null ? problem : undefined,
        }}
      />
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button
          onClick={() => {
            setTried(true);
            setChecking(!nobody && problem === null);
          }}
        >
          確認へ進む
        </Button>
      </div>
    </div>
  );
}

function Checking({ board, chosen, done, back }: Pick<DialogProps, "board" | "done"> & { chosen: PeopleFields; back: () => void }) {
  const { id, status } = board.thread;
  const [force, setForce] = useState(false);
  const [overQuota, setOverQuota] = useState(false);
  const keys = useIdempotencyKeys();
  const preview = useQuery(creationQuery({ ...likeNew(board), ...wirePeople(chosen) } as never));
  const known = new Set(board.people.map(({ invitee_key }) => invitee_key));
  const declined = new Set(board.people.filter((person) => person.status === "declined").map(({ invitee_key }) => invitee_key));
  const all = preview.data?.people ?? [];
  const fresh = all.filter(({ invitee_key }) => !known.has(invitee_key) || (force && declined.has(invitee_key)));
  const decided = status === "finalized";
  const again = all.length - all.filter(({ invitee_key }) => !known.has(invitee_key)).length;
  const body = { ...onlyThese(board, parseAddresses(chosen.pasted).people, fresh), ...(force ? { force } : {}), ...(decided ? { after_decision: true } : {}), confirm_over_quota: overQuota };
  const saving = useSaving(
    () => answerOf(api.POST("/api/threads/{thread_id}/invitees", { params: { path: { thread_id: id } }, body: body as never, headers: { "Idempotency-Key": keys.keyFor(body) } })),
    ({ message, warnings }) => done([message, ...warnings.map((warning) => warning.message)].join(" ")),
    // Somebody else has used up the limit since the preview was shown.
    (error) => void (error instanceof ApiError && error.code === "QUOTA_EXCEEDED" && preview.refetch()),
  );
  const ways = { line: count(fresh, "line"), mail: count(fresh, "mail"), call: count(fresh, "call") };
  const cost = preview.data && costOf(preview.data.cost, ways.line);
  const short = status !== "draft" && cost?.enough === false;
  return (
    <div className={classes.stack}>
      {preview.isPending && <Skeleton height={220} role="status" aria-label="読み込んでいます" />}
      {preview.isError && <Failure error={preview.error} retry={() => void preview.refetch()} />}
      {again > 0 && <p className={classes.lead}>{peopleCount(again)}は、すでに声をかけています。</p>}
      {status !== "finalized" && all.some(({ invitee_key }) => declined.has(invitee_key)) && (
        <Checkbox label="「どの日も行けない」と答えた方にも、もう一度お願いする" checked={force} onChange={(event) => setForce(event.currentTarget.checked)} />
      )}
      {preview.data && fresh.length === 0 && <Notice tone="info">新しく声をかける方がいません。選び直してください。</Notice>}
      {preview.data && fresh.length > 0 && status === "draft" && <p className={classes.lead}>{peopleCount(fresh.length)}を下書きに追加します。送るまで、知らせは届きません。</p>}
      {preview.data && cost && fresh.length > 0 && status === "active" && <Told preview={{ ...preview.data, people: fresh, ...ways, cost }} overQuota={overQuota} confirm={setOverQuota} />}
      {preview.data && cost && fresh.length > 0 && decided && (
        <>
          <p className={classes.lead}>{peopleCount(fresh.length)}に、決まった日程を知らせます。参加できるかどうかは「締切後の回答」として届きます。</p>
          <Ways reached={{ people: fresh, ...ways }} />
          {(cost.cost > 0 || cost.enough === false) && <Quota quota={cost} confirmed={overQuota} confirm={setOverQuota} beyond={BEYOND_LIMIT} />}
        </>
      )}
      {saving.error !== null && <SendingFailed error={saving.error} />}
      <div className={classes.foot}>
        <Button variant="default" disabled={saving.busy} onClick={back}>
          選び直す
        </Button>
        <Button data-autofocus disabled={fresh.length === 0 || (short && !overQuota)} loading={saving.busy} onClick={saving.save}>
          {status === "draft" ? `${peopleCount(fresh.length)}を追加する` : `${peopleCount(fresh.length)}に送る`}
        </Button>
      </div>
    </div>
  );
}

/** The preview is of everybody who was chosen, and some of them were asked before. */
function costOf(all: ThreadPreview["cost"], line: number): ThreadPreview["cost"] {
  return { ...all, cost: line, enough: all.left === null ? all.enough : line <= all.left };
}

function count(people: readonly { channel: string }[], channel: string): number {
  return people.filter((person) => person.channel === channel).length;
}
