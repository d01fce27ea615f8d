import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Body } from "../../../api/shapes";
import { Dialog } from "../audiences/Dialog";
import { answerOf, api } from "../api/client";
import { type FieldErrors, serverErrors } from "../booking/forms";
import { bookingChanged } from "../booking/queries";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { profileChanges, profileErrors, profileOf } from "./profile";
import { StaffFields } from "./StaffFields";

export function NewStaffDialog({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Dialog opened={opened} close={close} title="職員を1人登録" size="lg">
      {opened && <NewStaffForm close={close} />}
    </Dialog>
  );
}

function NewStaffForm({ close }: { close: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [profile, setProfile] = useState(profileOf());
  const [errors, setErrors] = useState<FieldErrors>({});
  const saving = useMutation({
    // What was not filled in is left out.
    mutationFn: () => answerOf(api.POST("/api/admin/staffs", { body: profileChanges(profileOf(), profile) as unknown as Body<"/api/admin/staffs", "post"> })),
    onSuccess: ({ staffUid }) => {
      void bookingChanged(client);
      close();
      void navigate({ to: "/staffs/$staffUid", params: { staffUid } });
    },
    onError: (error) => setErrors(serverErrors(error)),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = profileErrors(profile);
    setErrors(found);
    if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <p>最初の暗証番号（PIN）は「0000」です。本人が最初のログインで変えるまで、予約はできません。</p>
      <StaffFields profile={profile} change={setProfile} errors={errors} />
      {saving.isError && <Refusal title="登録できませんでした" error={saving.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={saving.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={saving.isPending}>
          登録する
        </Button>
      </div>
    </form>
  );
}
