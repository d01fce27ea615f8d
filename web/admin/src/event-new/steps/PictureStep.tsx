import { Button } from "@mantine/core";
import { type DragEvent, useRef, useState } from "react";
import { Notice } from "../../frame/Notice";
import { FieldFault } from "../Field";
import { type PictureFault, pictureFault, sizeText } from "../rules/picture";
import { PICTURE_ADVICE, words } from "../rules/reasons";
import { StepPanel } from "../StepPanel";
import { ConvertHelp } from "./ConvertHelp";
import classes from "./Picture.module.css";
import type { StepProps } from "./shared";
import { usePictureUrl } from "./usePictureUrl";

interface Rejected {
  name: string;
  fault: PictureFault;
}

export function PictureStep({ desk, shown, next, back, onChosen }: StepProps & { onChosen: () => void }) {
  const { picture, choosePicture } = desk;
  const [rejected, setRejected] = useState<Rejected | null>(null);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const url = usePictureUrl(picture?.file);
  const refusal = shown.image === undefined || shown.image === "REQUIRED" ? null : shown.image;

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const fault = await pictureFault(file);
    setRejected(fault === null ? null : { name: file.name, fault });
    if (fault !== null) return;
    choosePicture({ name: file.name, file });
    onChosen();
  }
  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }
  return (
    <StepPanel step={2} lead="イベントの案内の画像（JPEG、5MBまで、1枚）を選びます。LINEで最初に届く画像です。" back={back} next={next}>
      <div
        className={classes.drop}
        data-over={over || undefined}
        data-filled={picture ? true : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {picture && url && <img className={classes.picture} src={url} alt="選んだ画像" />}
        <div className={classes.choose}>
          {picture ? (
            <p className={classes.name}>
              <strong>{picture.name}</strong>
              <span>{sizeText(picture.file.size)}・この画像を送ります</span>
            </p>
          ) : (
            <p>ここに画像のファイルを置く（ドラッグ）か、ボタンで選んでください。</p>
          )}
          <Button
            variant={picture ? "default" : "filled"}
            size="md"
            data-fault={shown.image !== undefined || undefined}
            aria-describedby="image-fault"
            onClick={() => input.current?.click()}
          >
            {picture ? "別の画像にする" : "画像を選ぶ"}
          </Button>
          <input
            ref={input}
            type="file"
            accept="image/jpeg,.jpg,.jpeg"
            hidden
            aria-label="画像ファイル"
            onChange={(event) => {
              void take(event.currentTarget.files?.[0]);
              // The same file again, mended meanwhile, has to be a change too.
              event.currentTarget.value = "";
            }}
          />
          <div id="image-fault" className={classes.fault}>
            <FieldFault>{rejected === null && shown.image === "REQUIRED" ? words("image", "REQUIRED") : undefined}</FieldFault>
          </div>
        </div>
      </div>
      {rejected && (
        <Notice tone="danger" title={`「${rejected.name}」は、${words("image", rejected.fault)}`} alert className={classes.notice}>
          {PICTURE_ADVICE[rejected.fault]}
          {picture && "いまの画像はそのままです。"}
        </Notice>
      )}
      {refusal !== null && !rejected && (
        <Notice tone="danger" title={words("image", refusal) ?? ""} alert className={classes.notice}>
          {PICTURE_ADVICE[refusal]}
        </Notice>
      )}
      <ConvertHelp open={rejected?.fault === "PDF"} />
    </StepPanel>
  );
}
