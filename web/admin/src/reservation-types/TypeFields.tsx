import { Switch, Textarea, TextInput } from "@mantine/core";
import classes from "../booking/Booking.module.css";
import type { FieldErrors } from "../booking/forms";
import { Notice } from "../frame/Notice";
import { priceOf, type TypeDraft } from "./draft";

interface TypeFieldsProps {
  draft: TypeDraft;
  change: (draft: TypeDraft) => void;
  errors: FieldErrors;
}

type TextName = { [Name in keyof TypeDraft]: TypeDraft[Name] extends string ? Name : never }[keyof TypeDraft];
type SwitchName = Exclude<keyof TypeDraft, TextName>;

/** What every field of the form has in common. */
function bound({ draft, change, errors }: TypeFieldsProps) {
  return {
    text: (name: TextName) => ({
      size: "md" as const,
      value: draft[name],
      error: errors[name],
      onChange: (event: { currentTarget: { value: string } }) => change({ ...draft, [name]: event.currentTarget.value }),
    }),
    number: (name: TextName) => ({ ...bound({ draft, change, errors }).text(name), inputMode: "numeric" as const, autoComplete: "off" }),
    onOff: (name: SwitchName) => ({
      checked: draft[name],
      error: errors[name],
      onChange: (event: { currentTarget: { checked: boolean } }) => change({ ...draft, [name]: event.currentTarget.checked }),
    }),
  };
}

export function RuleFields(props: TypeFieldsProps) {
  const { text, number, onOff } = bound(props);
  return (
    <>
      <TextInput {...text("name")} label="名前" placeholder="例：職員健診" autoComplete="off" maxLength={100} data-autofocus />
      <Textarea {...text("description")} label="説明（職員に表示されます）" autosize minRows={2} maxRows={6} />
      <div className={classes.fields}>
        <TextInput {...number("limitPerYear")} label="1人が年度に予約できる回数" description="空にすると、制限しません。" />
        <TextInput {...number("minimumDaysBetween")} label="次の予約までにあける日数" description="2回目の接種など。空でもかまいません。" />
        <TextInput {...number("cancelUntilHours")} label="取り消しの締め切り（開始の何時間前）" description="0なら、開始まで取り消せます。" />
      </div>
      <Switch {...onOff("overlapAllowed")} label="ほかの予約と同じ時間でも予約できる" />
      <Switch
        {...onOff("absentFreesYear")}
        label="来なかった方は、同じ年度にもう一度予約できる"
        description="受付で「来なかった」と記録したときから予約できます。来なかった記録は残ります。お一人ずつ、受付の画面でも選べます。"
      />
    </>
  );
}

export function NoticeFields(props: TypeFieldsProps) {
  const { text, onOff } = bound(props);
  return (
    <fieldset className={classes.group}>
      <legend>通知</legend>
      <TextInput {...text("place")} label="会場" description="通知の {会場} に入ります。空でもかまいません。" placeholder="例：本館2階 健診センター" autoComplete="off" maxLength={200} />
      <Switch {...onOff("silentAtNight")} label="夜（22時〜7時）の通知は、音を鳴らさずに送る" description="届く時刻は変わりません。音と振動だけを止めます。" />
      <Switch {...onOff("mailFallback")} label="LINEで送れない方には、メールで送る" description="LINEと連携していない、または送れなかった方に、登録のあるメールアドレスへ送ります。" />
    </fieldset>
  );
}

export function PaymentFields(props: TypeFieldsProps) {
  const { number, onOff } = bound(props);
  const price = priceOf(props.draft);
  return (
    <fieldset className={classes.group}>
      <legend>料金</legend>
      <TextInput
        {...number("priceJpy")}
        label="料金（円）"
        description="空にすると、無料です。料金があると、職員は予約のあとに支払い、支払いが済むと予約が確定します。"
        placeholder="例：3500"
      />
      {props.draft.priceJpy.trim() !== "" && (
        <>
          <div className={classes.fields}>
            <TextInput {...number("holdMinutes")} label="支払いを待つ時間（分）" description="この時間は席を取っておきます。30分から24時間まで。" />
            <TextInput {...number("refundUntilHours")} label="返金の締め切り（開始の何時間前）" description="これより前の取り消しは全額を返金し、あとは返金しません。空なら、いつでも返金します。" />
          </div>
          <Switch {...onOff("konbini")} label="コンビニ払いもできる" description="支払い番号を発行してから3日間、席を取っておきます。120円から300,000円まで。" />
          <Notice tone="info">
            料金のある種類には、キャンセル待ちがありません。事務局が代わりに予約したときは、窓口で支払ったものとして、すぐに確定します。
            {price !== null && "料金を変えても、すでにある予約の料金は変わりません。"}
          </Notice>
        </>
      )}
    </fieldset>
  );
}
