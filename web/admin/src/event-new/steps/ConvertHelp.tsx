import { useEffect, useRef } from "react";
import classes from "./Picture.module.css";

/** Notices come as PDF, and LINE shows pictures only. What every Windows PC can do without anything installed. */
export function ConvertHelp({ open }: { open: boolean }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (open && details.current) details.current.open = true;
  }, [open]);
  return (
    <details ref={details} className={classes.help}>
      <summary>PDFをJPGにする方法（Windows）</summary>
      <ol>
        <li>PDFを開き、1ページの全体が画面に入る大きさにします。</li>
        <li>
          <kbd>Windows</kbd> ＋ <kbd>Shift</kbd> ＋ <kbd>S</kbd> を押し、ページの左上から右下までをマウスで囲みます。
        </li>
        <li>右下に出た知らせを押すと、切り取った画像が開きます。</li>
        <li>
          保存（フロッピーの印）を押し、「ファイルの種類」で<strong>JPG</strong>を選んで保存します。
        </li>
        <li>この画面に戻り、保存した画像を選びます。</li>
      </ol>
      <p>紙をスキャンするときは、複合機の保存形式で「JPEG」を選ぶと、そのまま使えます。</p>
      <p>個人情報が入った資料を、インターネットの変換サイトに送らないでください。</p>
    </details>
  );
}
