export interface ReceptionSearch {
  code?: string;
}

/** A reader types the whole address of the QR code; a person types the code alone. */
export function codeOf(text: string): string {
  const plain = text.normalize("NFKC").trim();
  return (/[?&]code=([^&#\s]+)/.exec(plain)?.[1] ?? plain).slice(0, 100);
}

export function receptionSearch(search: Record<string, unknown>): ReceptionSearch {
  const code = ["string", "number"].includes(typeof search["code"]) ? codeOf(String(search["code"])) : "";
  return code === "" ? {} : { code };
}
