import { useContext } from "preact/hooks";
import { PhoneActionsContext } from "../phone/phone-actions";
import type { Action } from "./line-action";

export function QuickReplies({ actions }: { actions: Action[] }) {
  const { act } = useContext(PhoneActionsContext);
  if (actions.length === 0) return null;
  return (
    <div class="quick-replies">
      {actions.map((action, index) => (
        <button key={index} type="button" onClick={() => act(action)}>
          {action.label}
        </button>
      ))}
    </div>
  );
}
