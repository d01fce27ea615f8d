import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import type { FieldErrors } from "../booking/forms";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { draftChanges, draftErrors, draftOf, refusedFields, type ShopDraft } from "./draft";
import { type Shop, thenFresh } from "./queries";
import { ShopFields } from "./ShopFields";
import { useFirstError } from "./useFirstError";

interface ShopDialogProps {
  opened: boolean;
  close: () => void;
  title: string;
  action: string;
  /** The shop to change; a new one without it. */
  shop?: Shop;
  save: (changes: Record<string, string | null>) => Promise<Shop>;
  done: (shop: Shop) => void;
  /** What the changes bring about, before they are saved. */
  warning?: (draft: ShopDraft) => ReactNode;
}

export function ShopDialog({ opened, close, title, ...form }: ShopDialogProps) {
  return (
    <Dialog opened={opened} close={close} title={title} size="lg">
      {opened && <ShopForm close={close} {...form} />}
    </Dialog>
  );
}

function ShopForm({ close, action, shop, save, done, warning }: Omit<ShopDialogProps, "opened" | "title">) {
  const client = useQueryClient();
  // The shop as the form was filled in from: what somebody else changes meanwhile is not sent back.
  const [before] = useState(() => draftOf(shop));
  const [draft, setDraft] = useState(before);
  const [errors, setErrors] = useState<FieldErrors>({});
  const form = useFirstError(errors);
  const saving = useMutation({
    mutationFn: (changes: Record<string, string | null>) => thenFresh(client, save(changes)),
    onSuccess: (saved) => {
      close();
      done(saved);
    },
    onError: (error) => setErrors(refusedFields(error)),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = draftErrors(draft);
    setErrors(found);
    if (Object.keys(found).length > 0 || saving.isPending) return;
    const changes = draftChanges(before, draft);
    if (Object.keys(changes).length === 0) close();
    else saving.mutate(shop ? changes : { ...changes, shop_status: draft.shop_status });
  }
  return (
    <form ref={form} className={dialogs.form} onSubmit={submit} noValidate>
      <ShopFields draft={draft} change={setDraft} errors={errors} />
      {warning?.(draft)}
      {saving.isError && <Refusal title="保存できませんでした" error={saving.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={saving.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={saving.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
