import type { JSX } from "preact";
import type { Answer } from "../api/shapes";
import { QrPicture } from "./qr-picture";

export type Door = Answer<"/api/staff-door">;

/** The way to the staff portal inside LINE: a QR code in a wide window, a button on a phone. */
export function LineDoor({ door: { liffUrl, liffQr, addFriendUrl } }: { door: Door }): JSX.Element | null {
  if (liffUrl === null || liffQr === null) return null;
  return (
    <>
      <figure class="qr only-wide">
        <QrPicture qr={liffQr} label="LINEで職員の予約を開くQRコード" />
        <figcaption class="note">スマートフォンのカメラで読み取ると、LINEで開きます。</figcaption>
      </figure>
      <div class="actions only-narrow">
        {addFriendUrl !== null && (
          <a class="button button-quiet" href={addFriendUrl}>
            公式アカウントを追加する
          </a>
        )}
        <a class="button" href={liffUrl}>
          LINEで開く
        </a>
      </div>
    </>
  );
}
