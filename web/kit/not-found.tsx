import type { ComponentChildren, JSX } from "preact";
import { Screen } from "./screen";

/** The screen for an address that the application does not have; `children` are the ways on. */
export function NotFound({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <Screen title="ページが見つかりません">
      <p>リンクが古くなっているか、まちがっているようです。</p>
      <div class="actions">{children}</div>
    </Screen>
  );
}
