import { AddPeopleDialog } from "./AddPeopleDialog";
import { AddSlotsDialog } from "./AddSlotsDialog";
import type { ActionChoice, DialogProps } from "./dialog";
import { EditDialog } from "./EditDialog";
import { EndDialog } from "./EndDialog";
import { EventDialog } from "./EventDialog";
import { FinalizeDialog } from "./FinalizeDialog";
import { RemindDialog } from "./RemindDialog";
import { RemoveDialog } from "./RemoveDialog";
import { RuleDialog } from "./RuleDialog";
import { SendDialog } from "./SendDialog";

/** The content of the dialog of an action. It is loaded separately, so that the page does not wait for it. */
export function ThreadDialog({ choice, ...props }: DialogProps & { choice: ActionChoice }) {
  switch (choice.action) {
    case "send":
      return <SendDialog {...props} />;
    case "remind":
      return <RemindDialog {...props} keys={choice.keys ?? null} />;
    case "finalize":
      return <FinalizeDialog {...props} slot={choice.slot ?? null} />;
    case "add-slots":
      return <AddSlotsDialog {...props} />;
    case "add-people":
      return <AddPeopleDialog {...props} />;
    case "rule":
      return <RuleDialog {...props} />;
    case "edit":
      return <EditDialog {...props} />;
    case "cancel":
    case "reopen":
      return <EndDialog {...props} action={choice.action} />;
    case "event":
      return <EventDialog {...props} />;
    case "remove-slot":
      return <RemoveDialog {...props} what={{ slot: choice.slot }} />;
    case "remove-person":
      return <RemoveDialog {...props} what={{ person: choice.person }} />;
  }
}
