import { Button, Skeleton, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApiError } from "../../../api/errors";
import { LeaveDialog } from "../audiences/LeaveDialog";
import { Failure } from "../frame/Failure";
import { Notice } from "../frame/Notice";
import { Refusal } from "../members/Refusal";
import { inserted } from "./inserting";
import { Phone } from "./Phone";
import { PlaceholderChips } from "./PlaceholderChips";
import { type Placeholder, saveText, type TextDetail, textPreviewQuery, textSaved } from "./queries";
import { SaveBar } from "./SaveBar";
import { Versions } from "./Versions";
import classes from "./Texts.module.css";

const PAUSE_MS = 300;

export function TextEditor({ detail, placeholders }: { detail: TextDetail; placeholders: readonly Placeholder[] }) {
  const client = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  // The text as the editor was filled from. When somebody else changes it meanwhile, that is said and not lost.
  const [before, setBefore] = useState(detail.body);
  const [text, setText] = useState(detail.body);
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const preview = useQuery(textPreviewQuery(detail.key, settled));
  const saving = useMutation({
    mutationFn: (body: string | null) => saveText(detail.key, body),
    onSuccess: async (saved) => {
      setBefore(saved.body);
      setText(saved.body);
      await textSaved(client, detail.key, saved);
    },
  });
  const refused = saving.error instanceof ApiError && saving.error.code === "TEMPLATE_REFUSED";
  const flaws = preview.data?.problems.map(({ message }) => message) ?? [];
  const unsaved = text !== before;
  const insert = (name: string) => {
    const { selectionStart, selectionEnd } = field.current ?? { selectionStart: text.length, selectionEnd: text.length };
    const typed = inserted(text, selectionStart, selectionEnd, name);
    // The cursor can only be set in the text that is already there.
    flushSync(() => setText(typed.text));
    field.current?.focus();
    field.current?.setSelectionRange(typed.caret, typed.caret);
  };
  return (
    <div className={classes.columns}>
      <div className={classes.editor}>
        <Textarea
          ref={field}
          label="文面"
          size="md"
          autosize
          minRows={9}
          maxRows={24}
          maxLength={20_000}
          value={text}
          error={flaws.length > 0 ? flaws.map((flaw) => <span key={flaw} className={classes.flaw}>{flaw}</span>) : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {preview.data && <Length preview={preview.data} />}
        <PlaceholderChips placeholders={placeholders} insert={insert} />
        {detail.body !== before && (
          <Notice tone="warning" title="編集しているあいだに、ほかの人が文面を変えました">
            保存すると、その文面は使われなくなります。下の「前の文面」には残ります。
          </Notice>
        )}
        {saving.isError && !refused && <Refusal title="保存できませんでした" error={saving.error} />}
        {refused && <Refusal title="この文面は保存できません" error={saving.error} />}
        <SaveBar
          unsaved={unsaved}
          saved={saving.isSuccess && !unsaved}
          busy={saving.isPending}
          ready={flaws.length === 0 && text === settled && !preview.isPlaceholderData}
          save={() => saving.mutate(text === detail.built_in_body ? null : text)}
          undo={() => setText(before)}
        />
        {text !== detail.built_in_body && (
          <div>
            <Button variant="subtle" size="sm" onClick={() => setText(detail.built_in_body)}>
              はじめの文面を編集欄に入れる
            </Button>
          </div>
        )}
        <Versions versions={detail.versions} builtIn={detail.built_in_body} take={setText} />
      </div>
      <div className={classes.preview}>
        {preview.error && !preview.data && <Failure error={preview.error} retry={() => void preview.refetch()} />}
        {preview.data ? <Phone preview={preview.data} /> : !preview.error && <Skeleton height={420} role="status" aria-label="読み込んでいます" />}
      </div>
      <LeaveDialog unsaved={unsaved}>保存していない文面</LeaveDialog>
    </div>
  );
}

function Length({ preview: { longest_length, limit } }: { preview: { longest_length: number; limit: number } }) {
  return (
    <p className={classes.length}>
      いちばん長い予約で、約<span className="figures">{longest_length.toLocaleString("ja-JP")}</span>文字（LINEの上限は{limit.toLocaleString("ja-JP")}文字）
    </p>
  );
}
