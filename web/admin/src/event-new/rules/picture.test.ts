import { describe, expect, test } from "vitest";
import { kindOf, MAX_UPLOAD_BYTES, pictureError, sizeText } from "./picture";

const JPEG = [0xff, 0xd8, 0xff, 0xe0];
const bytes = (...values: number[]) => new Uint8Array(values);
const text = (value: string) => new TextEncoder().encode(value);
const measured = async () => ({ width: 1200, height: 1700 });
const jpeg = (size: number) => new Blob([bytes(...JPEG), new Uint8Array(size - JPEG.length)]);

describe("what a file is", () => {
  test("is told by its first bytes, not by its name", () => {
    expect(kindOf(bytes(...JPEG))).toBe("jpeg");
    expect(kindOf(text("%PDF-1.7"))).toBe("pdf");
    expect(kindOf(bytes(0x89, 0x50, 0x4e, 0x47))).toBe("picture");
    expect(kindOf(text("RIFF1234WEBPVP8 "))).toBe("picture");
    expect(kindOf(text("\0\0\0 ftypheic"))).toBe("picture");
    expect(kindOf(text("hello"))).toBe("other");
    expect(kindOf(bytes())).toBe("other");
  });
});

describe("the picture", () => {
  test("is fine up to five megabytes", async () => {
    expect(await pictureError(jpeg(MAX_UPLOAD_BYTES), measured)).toBeNull();
    expect(await pictureError(jpeg(MAX_UPLOAD_BYTES + 1), measured)).toBe("TOO_LARGE");
  });

  test("has to be a JPEG, and the reason says what it is instead", async () => {
    expect(await pictureError(new Blob(["%PDF-1.7"]), measured)).toBe("PDF");
    expect(await pictureError(new Blob(["GIF89a"]), measured)).toBe("OTHER_PICTURE");
    expect(await pictureError(new Blob([""]), measured)).toBe("NOT_JPEG");
  });

  test("has to be readable and of a size that phones can show", async () => {
    expect(await pictureError(jpeg(100), () => Promise.reject(new Error("broken")))).toBe("BROKEN");
    expect(await pictureError(jpeg(100), async () => ({ width: 6000, height: 5000 }))).toBe("TOO_MANY_PIXELS");
    expect(await pictureError(jpeg(100), async () => ({ width: 10, height: 501 }))).toBe("TOO_MANY_PIXELS");
  });

  test("has a size in words", () => {
    expect([sizeText(10), sizeText(340 * 1024), sizeText(1.25 * 1024 * 1024)]).toEqual(["1KB", "340KB", "1.3MB"]);
  });
});
