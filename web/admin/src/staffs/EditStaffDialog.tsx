import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Body } from "../../../api/shapes";
import { Dialog } from "../audiences/Dialog";
import { answerOf, api } from "../api/client";
import { type FieldErrors, serverErrors } from "../booking/forms";
import { bookingChanged } from "../booking/queries";
import type { Staff } from "../booking/shapes";
import { STAFF_STATUS_NAMES } from "../booking/words";
import { Notice } from "../frame/Notice";
import dialogs from "../members/Dialogs.module.css";
import { ReasonField, reasonError } from "../members/ReasonField";
import { Refusal } from "../members/Refusal";
import { profileChanges, profileErrors, profileOf } from "./profile";
import { STATUSES } from "./search";
import { StaffFields } from "./StaffFields";

const USUAL = ["本人からの申し出", "人事異動のため", "登録の誤りを訂正", "退職のため"] as const;

/** After a change of these the account is no longer the one that the person logged in to. */
const LOGGING_OUT = ["staffId", "emrPatientId", "status"] as const;

export function EditStaffDialog({ staff, opened, close }: { staff: Staff; opened: boolean; close: () => void }) {
  return (
    <Dialog opened={opened} close={close} title={`${staff.fullName}さんの変更`} size="lg">
      {opened && <EditStaffForm staff={staff} close={close} />}
    </Dialog>
  );
}

function EditStaffForm({ staff: shown, close }: { staff: Staff; close: () => void }) {
  const client = useQueryClient();
  // The person as the form was filled in from. When somebody else changes them meanwhile, this version is refused, and
  // their change cannot be overwritten unseen.
  const [staff] = useState(shown);
  const [profile, setProfile] = useState(profileOf(staff));
  const [status, setStatus] = useState(staff.status);
  const [reason, setReason] = useState("");
  const [errors, setErrors] = useState<FieldErrors>({});
  const changes = { ...profileChanges(profileOf(staff), profile), ...(status === staff.status ? {} : { status }) };
  const saving = useMutation({
    mutationFn: () =>
      answerOf(
        api.PATCH("/api/admin/staffs/{staff_uid}", {
          params: { path: { staff_uid: staff.staffUid } },
          // A field that is left out stays as it is, which the type of a body with defaults cannot say.
          body: { ...changes, version: staff.version, reason: reason.trim() } as Body<"/api/admin/staffs/{staff_uid}", "patch">,
        }),
      ),
    onSuccess: close,
    onError: (error) => setErrors(serverErrors(error)),
    // A refusal often means that somebody else was quicker: the page behind the dialog then shows their version.
    onSettled: () => bookingChanged(client),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const why = reasonError(reason, null);
    const found = { ...profileErrors(profile, profileOf(staff)), ...(why === null ? {} : { reason: why }) };
    setErrors(found);
    if (Object.keys(changes).length === 0) return close();
    if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <StaffFields profile={profile} change={setProfile} errors={errors} staff={staff} />
      <NativeSelect label="在籍" size="md" value={status} error={errors["status"]} onChange={(event) => setStatus(event.currentTarget.value as Staff["status"])}>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {STAFF_STATUS_NAMES[one]}
          </option>
        ))}
      </NativeSelect>
      {status === "left" && staff.status !== "left" && (
        <Notice tone="warning" title="これからの予約も取り消されます">
          退職にすると、本人はログインできなくなり、これからの予約はすべて取り消されます。
        </Notice>
      )}
      {status === "suspended" && staff.status !== "suspended" && <Notice tone="info">停止中は、本人はログインできません。いまある予約はそのまま残ります。</Notice>}
      {LOGGING_OUT.some((field) => field in changes) && <Notice tone="info">保存すると、本人はすべての端末からログアウトします。</Notice>}
      <ReasonField label="変更する理由" usual={USUAL} value={reason} error={errors["reason"] ?? null} change={setReason} />
      {saving.isError && <Refusal title="保存できませんでした" error={saving.error} />}
      {shown.version !== staff.version && <Notice tone="warning">この画面を閉じて、新しい内容を確かめてから、もう一度変更してください。</Notice>}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={saving.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={saving.isPending}>
          保存する
        </Button>
      </div>
    </form>
  );
}
