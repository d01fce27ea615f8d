import { Button } from "@mantine/core";
import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import inputs from "../../events-list/Input.module.css";
import { Failure } from "../../frame/Failure";
import { ListSkeleton } from "../../frame/ListSkeleton";
import { Notice } from "../../frame/Notice";
import { FieldError } from "../Field";
import { searchRecipients, excludedAfter } from "../rules/recipients";
import { errorText } from "../rules/error-texts";
import { StepPanel } from "../StepPanel";
import type { Recipients } from "../useRecipients";
import { RecipientList } from "./RecipientList";
import classes from "./Recipients.module.css";
import type { StepProps } from "./step-props";
import { RecipientCount } from "./RecipientCount";

export function RecipientsStep({ editor, change, errors, next, back, recipients }: StepProps & { recipients: Recipients }) {
  const { all, chosen, error, refetch } = recipients;
  const [search, setSearch] = useState("");
  const deferred = useDeferredValue(search);
  const listed = useMemo(() => searchRecipients(all ?? [], deferred), [all, deferred]);
  const excluded = useMemo(() => new Set(editor.draft.excluded), [editor.draft.excluded]);
  const unreachable = all?.filter(({ unreachableReason }) => unreachableReason !== null).length ?? 0;

  // The rows are given the same function for ever, so that one tick draws one row anew and not a thousand.
  const latest = useRef({ excluded: editor.draft.excluded, change });
  latest.current = { excluded: editor.draft.excluded, change };
  const tick = useCallback((ids: readonly number[], ticked: boolean) => {
    latest.current.change({ excluded: excludedAfter(latest.current.excluded, ids, ticked) });
  }, []);
  const tickListed = (ticked: boolean) => tick(listed.filter(({ unreachableReason }) => unreachableReason === null).map(({ id }) => id), ticked);

  return (
    <StepPanel
      step={4}
      lead="名簿の順に並んでいます。送らない方のチェックを外してください。"
      back={back}
      next={next}
      foot={all && <RecipientCount chosen={chosen.length} off={all.length - chosen.length - unreachable} unreachable={unreachable} />}
    >
      {error !== null && <Failure error={error} retry={refetch} />}
      {all === null && error === null && <ListSkeleton />}
      {all !== null && all.length === 0 && (
        <Notice tone="warning" title="選んだ配信先に、会員がいません" className={classes.notice}>
          「戻る」を押して、別の配信先を選んでください。
        </Notice>
      )}
      {unreachable > 0 && (
        <Notice tone="info" className={classes.notice}>
          {`灰色の${unreachable.toLocaleString("ja-JP")}人には、LINEで届きません。お電話やメールでお知らせください。`}
        </Notice>
      )}
      <p className={classes.error}>
        <FieldError>{errorText("target_member_ids", errors.target_member_ids)}</FieldError>
      </p>
      {all !== null && all.length > 0 && (
        <>
          <div className={classes.tools}>
            <input
              className={`${inputs.input} ${classes.search}`}
              type="search"
              placeholder="氏名・ふりがな"
              aria-label="名前で探す"
              autoComplete="off"
              value={search}
              data-invalid={errors.target_member_ids !== undefined || undefined}
              onChange={(event) => setSearch(event.currentTarget.value)}
              // A search field inside a form must not send the form.
              onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
            />
            <Button variant="default" size="md" onClick={() => tickListed(true)}>
              {search ? "見つかった全員を選ぶ" : "全員を選ぶ"}
            </Button>
            <Button variant="default" size="md" onClick={() => tickListed(false)}>
              {search ? "見つかった全員を外す" : "全員を外す"}
            </Button>
          </div>
          <p className={classes.found} role="status">
            {search.trim() !== "" && `${listed.length.toLocaleString("ja-JP")}人が見つかりました`}
          </p>
          <RecipientList people={listed} excluded={excluded} tick={tick} />
          {listed.length === 0 && <p className={classes.nobody}>「{search}」という名前の方は、配信先の中にいません。</p>}
        </>
      )}
    </StepPanel>
  );
}
