import { focusTopBar } from "../page/focus-top-bar";
import { Icon } from "../page/Icon";
import { useSelected } from "../state/store";
import { activeWords } from "./switches";
import { useConditions } from "./use-conditions";

/** Under the top bar as long as anything is made to go wrong, so that nobody forgets it. */
export function FaultsStrip({ onOpen }: { onOpen: () => void }) {
  const rules = useSelected((state) => state.faults);
  const quota = useSelected((state) => state.quota);
  const { trouble, restore } = useConditions();
  const words = activeWords(rules, quota);
  if (words.length === 0) return null;
  return (
    <div class="strip warn" role="region" aria-label="ためしている状況">
      <Icon name="alert" size={18} />
      <p>
        <span class="strip-lead">こまった状況をためしています：</span>
        <b>{words.join("・")}</b>
        {trouble !== null && <span role="alert"> {trouble}</span>}
      </p>
      <button type="button" class="strip-button" onClick={onOpen}>
        変える
      </button>
      <button type="button" class="strip-button" onClick={() => void restore().then(focusTopBar)}>
        元に戻す
      </button>
    </div>
  );
}
