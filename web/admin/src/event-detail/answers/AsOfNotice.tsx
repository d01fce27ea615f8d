import { Button } from "@mantine/core";
import { Notice } from "../../frame/Notice";
import shared from "../EventDetail.module.css";

/** Says that a past moment is shown, so that nobody takes it for the present. */
export function AsOfNotice({ past, back }: { past: string; back: () => void }) {
  return (
    <Notice tone="warning" className={shared.notice}>
      <div className={shared.noticeRow}>
        <span>
          <strong className="figures">{past} 時点</strong>
          の出欠を表示しています。いまの様子ではありません。
        </span>
        <Button size="sm" onClick={back}>
          いまに戻る
        </Button>
      </div>
    </Notice>
  );
}
