import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import classes from "../booking/Booking.module.css";
import type { FieldErrors } from "../booking/forms";
import { departmentsQuery } from "../booking/queries";
import type { SlotStatus } from "../booking/shapes";
import { SLOT_STATUS_NAMES } from "../booking/words";
import dialogs from "../members/Dialogs.module.css";
import type { QuotaDraft, SharedDraft } from "./draft";
import own from "./Slots.module.css";
import { TypeSelect } from "./TypeSelect";

interface SharedFieldsProps {
  draft: SharedDraft;
  change: (draft: SharedDraft) => void;
  errors: FieldErrors;
  /** A slot with reservations keeps its type. */
  typeFixed?: boolean;
}

/** The fields that one slot and many slots have alike. */
export function SharedFields({ draft, change, errors, typeFixed = false }: SharedFieldsProps) {
  const set = <Name extends keyof SharedDraft>(name: Name, value: SharedDraft[Name]) => change({ ...draft, [name]: value });
  return (
    <>
      <div className={classes.fields}>
        {!typeFixed && (
          <TypeSelect value={draft.type} choose={(type) => set("type", type)} none="選んでください" error={errors["reservationTypeId"]} activeOnly />
        )}
        <TextInput
          label="定員（1枠あたり）"
          size="md"
          inputMode="numeric"
          value={draft.capacity}
          error={errors["capacity"]}
          onChange={(event) => set("capacity", event.currentTarget.value)}
        />
        <NativeSelect label="状態" size="md" value={draft.status} onChange={(event) => set("status", event.currentTarget.value as SlotStatus)}>
          {(Object.keys(SLOT_STATUS_NAMES) as SlotStatus[]).map((status) => (
            <option key={status} value={status}>
              {SLOT_STATUS_NAMES[status]}
            </option>
          ))}
        </NativeSelect>
        <TextInput
          label="受付の開始"
          description="空なら、公開したときから"
          type="datetime-local"
          size="md"
          max="2099-12-31T23:59"
          value={draft.bookingStart}
          error={errors["bookingStart"]}
          onChange={(event) => set("bookingStart", event.currentTarget.value)}
        />
        <TextInput
          label="受付の締め切り"
          description="空なら、枠が始まるまで"
          type="datetime-local"
          size="md"
          max="2099-12-31T23:59"
          value={draft.bookingEnd}
          error={errors["bookingEnd"]}
          onChange={(event) => set("bookingEnd", event.currentTarget.value)}
        />
      </div>
      <Textarea
        label="備考（職員に表示されます）"
        placeholder="例：3階の健診室"
        size="md"
        autosize
        minRows={1}
        maxRows={4}
        value={draft.notes}
        error={errors["notes"]}
        onChange={(event) => set("notes", event.currentTarget.value)}
      />
      <QuotaFields quotas={draft.quotas} change={(quotas) => set("quotas", quotas)} invalid={errors["quotas"]} />
    </>
  );
}

function QuotaFields({ quotas, change, invalid }: { quotas: QuotaDraft[]; change: (quotas: QuotaDraft[]) => void; invalid: string | undefined }) {
  const departments = useQuery(departmentsQuery).data ?? [];
  const put = (index: number, quota: QuotaDraft) => change(quotas.map((one, place) => (place === index ? quota : one)));
  return (
    <fieldset className={classes.fieldset}>
      <legend>部署ごとの定員</legend>
      <p className={classes.soft} style={{ margin: 0 }}>
        同じ部署の方が一度に抜けすぎないように、上限を決められます。
      </p>
      <div className={own.rows}>
        {quotas.map((quota, index) => (
          <div key={index} className={own.row}>
            <NativeSelect label="部署" value={quota.departmentId} onChange={(event) => put(index, { ...quota, departmentId: event.currentTarget.value })}>
              <option value="">選んでください</option>
              {departments.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </NativeSelect>
            <TextInput label="人数まで" inputMode="numeric" value={quota.seats} onChange={(event) => put(index, { ...quota, seats: event.currentTarget.value })} />
            <Button variant="subtle" aria-label={`${index + 1}番目の部署の定員を消す`} onClick={() => change(quotas.filter((_, place) => place !== index))}>
              消す
            </Button>
          </div>
        ))}
      </div>
      {invalid && (
        <p className={dialogs.error} role="alert">
          {invalid}
        </p>
      )}
      <Button variant="default" size="sm" onClick={() => change([...quotas, { departmentId: "", seats: "1" }])}>
        部署を加える
      </Button>
    </fieldset>
  );
}
