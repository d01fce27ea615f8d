import { Dialog } from "../page/Dialog";
import { useSelected } from "../state/store";
import { BlockRows } from "./BlockRows";
import { SwitchRow } from "./SwitchRow";
import { activeWords, foreignRules, isOn, isUsedUp, QUOTA_SWITCH, SWITCHES } from "./switches";
import { useConditions } from "./use-conditions";

export function FaultsDrawer({ onClose, onPeople }: { onClose: () => void; onPeople: () => void }) {
  const rules = useSelected((state) => state.faults);
  const quota = useSelected((state) => state.quota);
  const { busy, trouble, turn, turnQuota, restore } = useConditions();
  const calm = activeWords(rules, quota).length === 0;
  const others = foreignRules(rules).length;
  return (
    <Dialog title="こまった状況をためす" kind="drawer" onClose={onClose}>
      <div class="faults-body">
        <p class="dialog-words">LINE や Stripe の側でわざと問題を起こし、本体がどう乗り切るかを見ます。オンのあいだは画面の上に出ます。</p>
        <ul>
          {SWITCHES.map(({ key, label, watch }) => (
            <SwitchRow
              key={key}
              label={label}
              words={watch}
              on={isOn(rules, key)}
              disabled={busy}
              onTurn={(on) => void turn(key, on)}
            />
          ))}
          <SwitchRow
            label={QUOTA_SWITCH.label}
            words={QUOTA_SWITCH.watch}
            on={isUsedUp(quota)}
            disabled={busy}
            onTurn={(on) => void turnQuota(on)}
          />
        </ul>
        {others > 0 && <p class="dialog-words">このほかに、この画面の外で入れた設定が{others}件あります。</p>}
        <BlockRows onPeople={onPeople} />
      </div>
      <footer class="drawer-foot">
        {trouble !== null && (
          <p class="field-trouble" role="alert">
            {trouble}
          </p>
        )}
        <button type="button" class="button main wide" aria-disabled={calm} onClick={() => !calm && void restore()}>
          {calm ? "いまは何も起こしていません" : "すべて元に戻す"}
        </button>
      </footer>
    </Dialog>
  );
}
