import type { JSX } from "preact";
import { Fold, FoldState } from "../../../kit/fold";
import { useLoad } from "../../../kit/load";
import { QrPicture } from "../../../kit/qr-picture";
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
  return (
    <figure class="qr">
      <QrPicture qr={state.value} label="受付のQRコード" />
      <figcaption class="note">受付でお見せください。読み取れないときの番号：{state.value.code}</figcaption>
    </figure>
  );
}
