import { Button, Switch } from "@mantine/core";
import { useState } from "react";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { audiencesQuery, candidatesQuery } from "../../event-new/queries";
import { ruleDraftOf, ruleProblem, wireRule } from "../../thread-new/how/rule";
import { RuleForm } from "../../thread-new/how/RuleForm";
import { RuleSentence } from "../../thread-new/how/RuleSentence";
import { serverErrors } from "../../thread-new/server-errors";
import { useCreationPreview } from "../../thread-new/usePeople";
import { useQueries, useQuery } from "@tanstack/react-query";
import { likeNew, peopleOf } from "./board-body";
import { SendingFailed } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useSaving } from "./useSaving";

/** Another edition of the rule, with its sentence as it is typed. Nobody is told, and nothing is decided by it. */
export function RuleDialog({ board, done, close }: DialogProps) {
  const { id } = board.thread;
  const [rule, setRule] = useState(() => ruleDraftOf(board.rule?.rule_json));
  const [tried, setTried] = useState(false);
  const keys = useIdempotencyKeys();
  const groups = useGroupsAmong(new Set(board.people.map(({ invitee_key }) => invitee_key)));
  const missing = ruleProblem(rule, board.people.length);
  const wire = wireRule(rule, groups, board.people.length);
  const preview = useCreationPreview({ ...likeNew(board), ...peopleOf(board), rule: wire } as never, missing === null);
  const refused = preview.isError && !preview.behind ? serverErrors(preview.error) : null;
  const body = { version: board.rule?.version ?? 0, rule: wire };
  const saving = useSaving(
    () => answerOf(api.PUT("/api/threads/{thread_id}/rule", { params: { path: { thread_id: id } }, body, headers: { "Idempotency-Key": keys.keyFor(body) } })),
    ({ sentence }) => done(`決め方を変えました。${sentence}`),
  );
  return (
    <div className={classes.stack}>
      <RuleForm rule={rule} change={setRule} people={board.people} groups={groups} error={(tried ? missing : null) ?? refused?.rule} />
      <RuleSentence
        missing={missing}
        sentence={preview.data?.rule_sentence}
        behind={preview.behind || preview.isFetching}
        error={preview.isError && refused === null ? preview.error : null}
      />
      <Switch label="条件が揃ったら、自動で決める" description="次の回答が届いたときから働きます。変えただけでは決まりません。" checked={rule.auto} onChange={(event) => setRule({ ...rule, auto: event.currentTarget.checked })} />
      {saving.error !== null && <SendingFailed error={saving.error} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button
          loading={saving.busy}
          onClick={() => {
            setTried(true);
            if (missing === null) saving.save();
          }}
        >
          決め方を変える
        </Button>
      </div>
    </div>
  );
}

/** The groups that have people among those who are asked. */
function useGroupsAmong(asked: ReadonlySet<string>) {
  const audiences = useQuery(audiencesQuery).data?.items ?? [];
  const members = useQueries({ queries: audiences.map(({ id }) => candidatesQuery(false, [id])) });
  return audiences
    .map(({ id, name }, index) => ({ id, name, keys: (members[index]?.data?.items ?? []).map(({ member_id }) => `lm:${member_id}`).filter((key) => asked.has(key)) }))
    .filter(({ keys }) => keys.length > 0);
}
