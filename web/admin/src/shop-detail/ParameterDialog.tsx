import { Button, NativeSelect, Radio, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { ApiError } from "../../../api/errors";
import { answerOf, api } from "../api/client";
import { Dialog } from "../audiences/Dialog";
import classes from "../booking/Booking.module.css";
import { wholeNumber } from "../booking/forms";
import { Notice } from "../frame/Notice";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { type Parameter, type Shop, thenFresh } from "../shops/queries";
import { useFirstError } from "../shops/useFirstError";
import { CHECKED_SHOP, othersOwn, rangeText, type Scope, storedAt, valueText } from "./parameters";
import own from "./ShopDetail.module.css";

interface ParameterDialogProps {
  shop: Shop;
  shops: readonly Shop[];
  parameter: Parameter | null;
  close: () => void;
  done: (text: string) => void;
}

export function ParameterDialog({ parameter, close, ...form }: ParameterDialogProps) {
  // While the dialog closes it still shows what it was about.
  const last = useRef(parameter);
  if (parameter) last.current = parameter;
  return (
    <Dialog opened={parameter !== null} close={close} title={last.current?.label ?? ""}>
      {parameter && <ParameterForm parameter={parameter} close={close} {...form} />}
    </Dialog>
  );
}

function ParameterForm({ shop, shops, parameter, close, done }: Omit<ParameterDialogProps, "parameter"> & { parameter: Parameter }) {
  const client = useQueryClient();
  const { key, label, per_shop, lowest, highest } = parameter;
  const [scope, setScope] = useState<Scope>(per_shop ? "shop" : "global");
  const [text, setText] = useState(storedAt(parameter, scope, shop.id) ?? String(parameter.effective.value ?? ""));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useFirstError(errors);
  const shopName = (id: number) => shops.find((one) => one.id === id)?.name;
  const where = { scope, shop_id: scope === "shop" ? shop.id : null };
  const running = useMutation({
    mutationFn: (value: number | null): Promise<unknown> => {
      const { shop_id } = where;
      const place = { path: { key }, query: { scope, ...(shop_id === null ? {} : { shop_id }) } };
      const call: Promise<unknown> =
        value === null ? answerOf(api.DELETE("/api/admin/sys-params/{key}", { params: place })) : answerOf(api.PUT("/api/admin/sys-params/{key}", { params: { path: { key } }, body: { value, ...where } }));
      return thenFresh(client, call);
    },
    onSuccess: (_answer, value) => {
      close();
      const whose = scope === "shop" ? `${shop.name}の` : "全店舗に共通の";
      done(value === null ? `${whose}「${label}」の設定を消しました。` : `${whose}「${label}」を${valueText(key, value, shopName)}にしました。`);
    },
    onError: (error) => setErrors(error instanceof ApiError && error.details.some(({ field }) => field === "value") ? { value: error.message } : {}),
  });
  function choose(wanted: Scope): void {
    setScope(wanted);
    setErrors({});
    setText(storedAt(parameter, wanted, shop.id) ?? String(parameter.effective.value ?? ""));
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    const value = wholeNumber(text, lowest, highest);
    setErrors(value === null ? { value: key === CHECKED_SHOP ? "店舗を選んでください" : `${rangeText(parameter)}の整数で入力してください` } : {});
    if (value !== null && !running.isPending) running.mutate(value);
  }
  const stored = storedAt(parameter, scope, shop.id);
  const others = othersOwn(parameter, shop.id);
  const field = { size: "md" as const, value: text, error: errors["value"], onChange: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value) };
  return (
    <form ref={form} className={dialogs.form} onSubmit={submit} noValidate>
      <p>
        いまの値は<strong className="figures">{valueText(key, parameter.effective.value, shopName)}</strong>です。{parameter.effective.why}
      </p>
      {per_shop && (
        <Radio.Group label="どこで変えますか" value={scope} onChange={(wanted) => choose(wanted as Scope)}>
          <Radio value="shop" mt="xs" label={`${shop.name}だけ${shown(parameter, "shop", shop, shopName)}`} />
          <Radio value="global" mt="xs" label={`すべての店舗${shown(parameter, "global", shop, shopName)}`} />
        </Radio.Group>
      )}
      {key === CHECKED_SHOP ? (
        <NativeSelect label="店舗" {...field}>
          <option value="">選んでください</option>
          {shops.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      ) : (
        <TextInput label="値" description={`${rangeText(parameter)}${parameter.default === null ? "" : `・初期値 ${valueText(key, parameter.default)}`}`} inputMode="numeric" autoComplete="off" data-autofocus {...field} />
      )}
      {scope === "global" && per_shop && (
        <Notice tone="info">
          すべての店舗の呼び出しに、すぐに反映されます。
          {others > 0 && `ただし、専用の設定があるほかの${others}店舗は変わりません。`}
          {storedAt(parameter, "shop", shop.id) !== null && `${shop.name}にも専用の設定があるため、この店舗では変わりません。`}
        </Notice>
      )}
      {running.isError && !errors["value"] && <Refusal title="変えられませんでした" error={running.error} />}
      <div className={dialogs.foot}>
        {stored !== null && (
          <Button className={own.remove} variant="subtle" size="md" color="var(--red)" disabled={running.isPending} onClick={() => running.mutate(null)}>
            {scope === "shop" ? "この店舗の設定を消す" : "共通の設定を消す"}
          </Button>
        )}
        <div className={classes.buttons}>
          <Button variant="default" size="md" onClick={close} disabled={running.isPending}>
            やめる
          </Button>
          <Button type="submit" size="md" loading={running.isPending}>
            保存する
          </Button>
        </div>
      </div>
    </form>
  );
}

/** What stands at a place already, beside the choice of it. */
function shown(parameter: Parameter, scope: Scope, shop: Shop, shopName: (id: number) => string | undefined): string {
  const stored = storedAt(parameter, scope, shop.id);
  return stored === null ? "（設定なし）" : `（いまの設定 ${valueText(parameter.key, stored, shopName)}）`;
}
