import type { JSX } from "preact";
import { Fold, FoldState } from "../../../kit/fold";
import { useLoad } from "../../../kit/load";
import { troubleText } from "../parts/action-trouble";
import { useSession } from "../session/session";

/** The code that the reception scans. */
export function Reception({ id }: { id: number }): JSX.Element {
  return (
    <Fold title="受付のQRコードを見せる">
      <Code id={id} />
    </Fold>
  );
}

function Code({ id }: { id: number }): JSX.Element {
  const { api } = useSession();
  const [state, reload] = useLoad(() => api.reception(id));
  if (state.kind !== "ready") return <FoldState state={state} retry={reload} textOf={troubleText} />;
  const { code, size, path } = state.value;
  return (
    <figure class="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label="受付のQRコード" shape-rendering="crispEdges">
        <path d={path} fill="#000" />
      </svg>
      <figcaption class="note">受付でお見せください。読み取れないときの番号：{code}</figcaption>
    </figure>
  );
}
