import { CancelDialog } from "./CancelDialog";
import type { DialogProps } from "./dialog";
import { EditDialog } from "./EditDialog";
import { ReminderDialog } from "./ReminderDialog";
import { TargetsDialog } from "./TargetsDialog";

export type ActionName = "remind" | "add" | "edit" | "cancel";

interface ActionDialogProps extends DialogProps {
  action: ActionName;
  pending: number;
}

/** The content of the dialog of an action. It is loaded separately, so that the page does not wait for it. */
export function ActionDialog({ action, pending, ...props }: ActionDialogProps) {
  switch (action) {
    case "remind":
      return <ReminderDialog {...props} pending={pending} />;
    case "add":
      return <TargetsDialog {...props} />;
    case "edit":
      return <EditDialog {...props} />;
    case "cancel":
      return <CancelDialog {...props} />;
  }
}
