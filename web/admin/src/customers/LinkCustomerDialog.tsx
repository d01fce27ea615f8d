import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, api } from "../api/client";
import { Dialog } from "../audiences/Dialog";
import type { FieldErrors } from "../booking/forms";
import { Notice } from "../frame/Notice";
import dialogs from "../members/Dialogs.module.css";
import { ReasonField } from "../members/ReasonField";
import { Refusal } from "../members/Refusal";
import { shopsQuery, thenFresh } from "../shops/queries";
import { useFirstError } from "../shops/useFirstError";
import own from "./Customers.module.css";
import { bodyOf, type LinkDraft, linkErrors, refusedLink, takenField } from "./draft";
import { nameOf } from "./names";
import { lineFriendsQuery } from "./queries";
import type { CustomersSearch } from "./search";

interface LinkCustomerDialogProps {
  opened: boolean;
  close: () => void;
  /** The shop that the list is about. */
  shopId: number | undefined;
  find: (search: CustomersSearch) => void;
  done: (text: string) => void;
}

const USUAL = ["来店時に本人を確認", "電話で本人を確認", "連携の付け替えの依頼"] as const;

/** The shop knows who it is, and says so instead of the customer. */
export function LinkCustomerDialog({ opened, close, ...form }: LinkCustomerDialogProps) {
  return (
    <Dialog opened={opened} close={close} title="お客さまとLINEを手で連携" size="lg">
      {opened && <LinkForm close={close} {...form} />}
    </Dialog>
  );
}

function LinkForm({ close, shopId, find, done }: Omit<LinkCustomerDialogProps, "opened">) {
  const client = useQueryClient();
  const shops = useQuery(shopsQuery).data?.shops ?? [];
  const friends = useQuery(lineFriendsQuery).data ?? [];
  const [draft, setDraft] = useState<LinkDraft>({ shop_id: shopId ? String(shopId) : "", line_user_id: "", stores_customer_id: "", reason: "" });
  const [errors, setErrors] = useState<FieldErrors>({});
  const form = useFirstError(errors);
  const linking = useMutation({
    mutationFn: () => thenFresh(client, answerOf(api.POST("/api/admin/customer-links", { body: bodyOf(draft) }))),
    onSuccess: (link) => {
      close();
      done(`LINEの${nameOf(link)}と、${link.shop_name}の顧客番号${link.stores_customer_id}を連携しました。`);
    },
    onError: (error) => setErrors(refusedLink(error)),
  });
  const taken = takenField(linking.error);
  const friend = friends.find(({ user_id }) => user_id === bodyOf(draft).line_user_id);
  function change(field: keyof LinkDraft, value: string): void {
    // What was refused was about what stood there before.
    if (linking.isError) linking.reset();
    setDraft({ ...draft, [field]: value });
  }
  const field = (name: keyof LinkDraft) => ({
    size: "md" as const,
    autoComplete: "off",
    value: draft[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = linkErrors(draft);
    setErrors(found);
    if (Object.keys(found).length === 0 && !linking.isPending) linking.mutate();
  }
  return (
    <form ref={form} className={dialogs.form} onSubmit={submit} noValidate>
      <Notice tone="warning" title="本人だと確かめてから連携してください">
        連携すると、このLINEの方が、STORES予約のこのお客さまの予約をすぐに見られるようになります。
      </Notice>
      <NativeSelect label="店舗" {...field("shop_id")} data-autofocus>
        <option value="">選んでください</option>
        {shops.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <TextInput
        label="LINEのユーザー"
        description={friend ? `LINEの${nameOf(friend)}です。` : "名前の一部を入れると、友だちから選べます。ユーザーID（Uで始まる33文字）を貼り付けることもできます。"}
        list="line-friends"
        spellCheck={false}
        autoCapitalize="none"
        {...field("line_user_id")}
      />
      <datalist id="line-friends">
        {friends.map(({ user_id, display_name }) => (
          <option key={user_id} value={user_id} label={display_name ?? user_id} />
        ))}
      </datalist>
      <TextInput label="STORESの顧客番号" description="STORES予約の管理画面の、顧客の詳細にある番号です。" inputMode="numeric" {...field("stores_customer_id")} />
      <ReasonField label="本人だとわかった理由" usual={USUAL} value={draft.reason} error={errors["reason"] ?? null} change={(reason) => change("reason", reason)} />
      {linking.isError && taken === null && Object.keys(errors).length === 0 && <Refusal title="連携できませんでした" error={linking.error} />}
      {taken !== null && linking.error && (
        <Notice tone="danger" title="すでに別の連携があります" alert>
          {linking.error.message}今の連携は、上書きされずにそのまま残っています。
          <div className={own.onward}>
            <Button
              variant="default"
              size="sm"
              onClick={() => {
                close();
                find({ q: bodyOf(draft)[taken], shop_id: Number(draft.shop_id) });
              }}
            >
              今の連携を見る
            </Button>
          </div>
        </Notice>
      )}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={linking.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={linking.isPending}>
          連携する
        </Button>
      </div>
    </form>
  );
}
