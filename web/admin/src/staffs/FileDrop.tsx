import { Button } from "@mantine/core";
import { type DragEvent, useRef, useState } from "react";
import classes from "./Staffs.module.css";

/** A file is dropped here or chosen with the button, which works without a mouse. */
export function FileDrop({ choose }: { choose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) choose(file);
  }
  return (
    <section
      className={classes.drop}
      aria-label="CSVファイル"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>ここにCSVファイルをドラッグするか、ボタンで選んでください。</p>
      <Button size="md" onClick={() => input.current?.click()}>
        CSVファイルを選ぶ
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label="CSVファイルを選ぶ"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) choose(file);
          // The same file can be chosen again after it was corrected.
          event.currentTarget.value = "";
        }}
      />
      <p>必要な列は「名前(漢字)」「本部ID(staffId)」「部署(コード)」「職種」です。「氏名」「職員番号」「所属」「職名」などの名前でも読み取れます。列の順番は自由です。</p>
      <p>「フリガナ」（または「姓カナ」「名カナ」）、「部署名」、「メールアドレス」の列があれば、それも使います。文字コードはUTF-8でもShift_JISでも読み取れます。</p>
    </section>
  );
}
