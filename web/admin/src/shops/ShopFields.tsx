import { NativeSelect, TextInput } from "@mantine/core";
import classes from "../booking/Booking.module.css";
import type { FieldErrors } from "../booking/forms";
import type { ShopDraft, ShopField } from "./draft";
import { SHOP_STATUSES } from "./words";

interface ShopFieldsProps {
  draft: ShopDraft;
  change: (draft: ShopDraft) => void;
  errors: FieldErrors;
}

/** The fields of a shop, for a new one and for a change. */
export function ShopFields({ draft, change, errors }: ShopFieldsProps) {
  const field = (name: ShopField, label: string) => ({
    label,
    size: "md" as const,
    autoComplete: "off",
    value: draft[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => change({ ...draft, [name]: event.currentTarget.value }),
  });
  // What is typed in Latin letters: no capital at the beginning, and no red line below it.
  const latin = { autoCapitalize: "none", spellCheck: false } as const;
  return (
    <>
      <div className={classes.fields}>
        <TextInput {...field("name", "店舗の名前")} required withAsterisk={false} maxLength={120} data-autofocus />
        <NativeSelect {...field("shop_status", "営業の状態")}>
          {Object.entries(SHOP_STATUSES).map(([status, { name }]) => (
            <option key={status} value={status}>
              {name}
            </option>
          ))}
        </NativeSelect>
        <TextInput
          {...field("code", "店舗コード")}
          {...latin}
          className={classes.wide}
          required
          withAsterisk={false}
          maxLength={64}
          description={`ヘルプページのアドレスの一部になります：…/help/${draft.code.normalize("NFKC").trim() || "（店舗コード）"}`}
        />
        <TextInput {...field("shop_email", "店舗のメールアドレス")} {...latin} type="email" maxLength={254} />
        <TextInput {...field("phone", "電話番号")} {...latin} type="tel" maxLength={40} />
      </div>
      <fieldset className={classes.group}>
        <legend>STORES予約</legend>
        <div className={classes.fields}>
          <TextInput {...field("merchant_canonical_id", "マーチャントID")} {...latin} maxLength={64} description="APIでこの店舗を表す値です。" />
          <TextInput {...field("merchant_public_id", "公開ID")} {...latin} maxLength={64} description="予約ページのアドレスにある名前です。" />
          <TextInput {...field("stores_public_url", "予約ページ")} {...latin} className={classes.wide} type="url" maxLength={500} placeholder="https://" />
        </div>
      </fieldset>
    </>
  );
}
