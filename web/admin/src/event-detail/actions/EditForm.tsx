import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { Notice } from "../../frame/Notice";
import classes from "./Actions.module.css";
import type { Fields } from "./changes";
import { fieldError, isAboutFields, messageOf } from "./field-errors";

interface EditFormProps {
  fields: Fields;
  change: (changed: Partial<Fields>) => void;
  notify: boolean;
  setNotify: (notify: boolean) => void;
  unchanged: boolean;
  error: unknown;
  /** Somebody else has changed the event meanwhile. */
  stale: boolean;
  reload: () => void;
  reloading: boolean;
  /** Their changes as text, once they are loaded. */
  theirs: string[];
  busy: boolean;
  submit: () => void;
  close: () => void;
}

export function EditForm(props: EditFormProps) {
  const { fields, change, notify, error, stale, unchanged, busy } = props;
  const elsewhere = error !== null && !stale && !isAboutFields(error, ["title", "held_at", "body"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!unchanged && !stale && !busy) props.submit();
  };
  return (
    <form className={classes.stack} onSubmit={submit} noValidate>
      {stale && (
        <Notice tone="warning" title="ほかの人がこのイベントを変更しました" alert>
          <p style={{ margin: "0 0 0.5rem" }}>
            最新の内容を読み込んでから、もう一度保存してください。ここで書き換えた項目は、そのまま残ります。
          </p>
          <Button variant="default" size="sm" loading={props.reloading} onClick={props.reload}>
            最新の内容を読み込む
          </Button>
        </Notice>
      )}
      {!stale && props.theirs.length > 0 && (
        <Notice tone="info" title="ほかの人の変更を読み込みました" alert>
          {props.theirs.map((line) => (
            <span key={line} style={{ display: "block" }}>
              {line}
            </span>
          ))}
        </Notice>
      )}
      {elsewhere && (
        <Notice tone="danger" alert>
          {messageOf(error)}
        </Notice>
      )}
      <TextInput
        label="タイトル"
        data-autofocus
        value={fields.title}
        error={fieldError(error, "title")}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <div className={classes.when}>
        <TextInput
          type="date"
          label="開催日"
          value={fields.date}
          max="2099-12-31"
          error={fieldError(error, "held_at")}
          onChange={(event) => change({ date: event.currentTarget.value })}
        />
        <TextInput type="time" label="時刻" value={fields.time} onChange={(event) => change({ time: event.currentTarget.value })} />
      </div>
      <Textarea
        label="本文"
        autosize
        minRows={3}
        maxRows={10}
        value={fields.body}
        error={fieldError(error, "body")}
        onChange={(event) => change({ body: event.currentTarget.value })}
      />
      <Checkbox
        label="変更を知らせる"
        description="対象の方に、何が変わったかをLINEで送ります。送る前に、文面を確かめられます。"
        checked={notify}
        onChange={(event) => props.setNotify(event.currentTarget.checked)}
      />
      <div className={classes.foot}>
        <Button variant="default" onClick={props.close}>
          やめる
        </Button>
        <Button type="submit" loading={busy} disabled={unchanged || stale}>
          {notify ? "確認へ進む" : "変更を保存する"}
        </Button>
      </div>
    </form>
  );
}
