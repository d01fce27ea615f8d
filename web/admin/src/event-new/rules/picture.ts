// The server's rules for the picture, asked at once in the browser so that nobody fills in three more steps first.

export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
const MAX_PIXELS = 24 * 1024 * 1024;
const MAX_ASPECT_RATIO = 50;

export type PictureError = "REQUIRED" | "NOT_JPEG" | "PDF" | "OTHER_PICTURE" | "TOO_LARGE" | "TOO_MANY_PIXELS" | "BROKEN";

/** By its first bytes: the name and the type that the browser gives only repeat what the file is called. */
export function kindOf(head: Uint8Array): "jpeg" | "pdf" | "picture" | "other" {
  const text = String.fromCharCode(...head.slice(0, 16));
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "jpeg";
  if (text.includes("%PDF")) return "pdf";
  const picture = text.startsWith("\x89PNG") || text.startsWith("GIF8") || text.startsWith("BM") || text.startsWith("II*\0") || text.startsWith("MM\0*");
  return picture || text.slice(8, 12) === "WEBP" || text.slice(4, 8) === "ftyp" ? "picture" : "other";
}

export type Measure = (file: Blob) => Promise<{ width: number; height: number }>;

export async function pictureError(file: Blob, measure: Measure = measured): Promise<PictureError | null> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const kind = kindOf(head);
  if (kind !== "jpeg") return kind === "pdf" ? "PDF" : kind === "picture" ? "OTHER_PICTURE" : "NOT_JPEG";
  if (file.size > MAX_UPLOAD_BYTES) return "TOO_LARGE";
  try {
    const { width, height } = await measure(file);
    if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_ASPECT_RATIO * Math.min(width, height)) return "TOO_MANY_PIXELS";
  } catch {
    return "BROKEN";
  }
  return null;
}

async function measured(file: Blob): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

/** `1.2MB` or `340KB`. */
export function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${(bytes / 1024 / 1024).toFixed(1)}MB` : `${Math.max(1, Math.round(bytes / 1024))}KB`;
}
