import { Button } from "@mantine/core";
import { type DragEvent, useRef, useState } from "react";
import { Notice } from "../../frame/Notice";
import { FieldError } from "../Field";
import { type PictureError, pictureError, sizeText } from "../rules/picture";
import { PICTURE_ADVICE, errorText } from "../rules/error-texts";
import { StepPanel } from "../StepPanel";
import { ConvertHelp } from "./ConvertHelp";
import classes from "./Picture.module.css";
import type { StepProps } from "./step-props";
import { usePictureUrl } from "./usePictureUrl";

interface Rejected {
  name: string;
  error: PictureError;
}

export function PictureStep({ editor, errors, next, back, onChosen }: StepProps & { onChosen: () => void }) {
  const { picture, choosePicture } = editor;
  const [rejected, setRejected] = useState<Rejected | null>(null);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const url = usePictureUrl(picture?.file);
  const refusal = errors.image === undefined || errors.image === "REQUIRED" ? null : errors.image;

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const error = await pictureError(file);
    setRejected(error === null ? null : { name: file.name, error });
    if (error !== null) return;
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
            data-invalid={errors.image !== undefined || undefined}
            aria-describedby="image-error"
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
          <div id="image-error" className={classes.error}>
            <FieldError>{rejected === null && errors.image === "REQUIRED" ? errorText("image", "REQUIRED") : undefined}</FieldError>
          </div>
        </div>
      </div>
      {rejected && (
        <Notice tone="danger" title={`「${rejected.name}」は、${errorText("image", rejected.error)}`} alert className={classes.notice}>
          {PICTURE_ADVICE[rejected.error]}
          {picture && "いまの画像はそのままです。"}
        </Notice>
      )}
      {refusal !== null && !rejected && (
        <Notice tone="danger" title={errorText("image", refusal) ?? ""} alert className={classes.notice}>
          {PICTURE_ADVICE[refusal]}
        </Notice>
      )}
      <ConvertHelp open={rejected?.error === "PDF"} />
    </StepPanel>
  );
}
