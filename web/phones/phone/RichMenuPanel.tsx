import { useContext } from "preact/hooks";
import { actionOf } from "../chat/line-action";
import type { RichMenu } from "../client/types";
import { PhoneActionsContext } from "./phone-actions";
import { placeOf } from "./rich-menu-area";

export function RichMenuPanel({ menu }: { menu: RichMenu }) {
  const { act } = useContext(PhoneActionsContext);
  return (
    <div class="rich-menu" style={{ aspectRatio: `${menu.size.width} / ${menu.size.height}` }}>
      <img src={menu.image_url} alt="" />
      {menu.areas.map((area, index) => {
        const action = actionOf(area.action);
        if (!action) return null;
        return (
          <button
            key={index}
            type="button"
            class="rich-menu-area"
            aria-label={action.label}
            style={{ ...placeOf(area, menu.size) }}
            onClick={() => act(action)}
          />
        );
      })}
    </div>
  );
}
