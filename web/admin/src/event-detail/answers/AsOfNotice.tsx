import { Button } from "@mantine/core";
import { Notice } from "../../frame/Notice";
import shared from "../EventDetail.module.css";

/** Stands above everything that is of a past moment, so that emptyText takes it for the present. */
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
