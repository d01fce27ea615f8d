import type { ComponentChildren, JSX } from "preact";
import { readConfig } from "../api/config";

// Who asks for a date is somebody of the office, so that its number is the right one for both.
const ASKING = /(事務局|主催者)にご連絡ください/;

/** The office's number, as this installation has it; a page without a configuration, such as a test's, has none. */
function officePhone(): string {
  try {
    return readConfig().office_phone;
  } catch {
    return "";
  }
}

/** A sentence. Where it tells people to ask the office, the office's telephone number follows: words alone are a dead end. */
export function Said({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text}
      {ASKING.test(text) && <OfficePhone />}
    </>
  );
}

export function OfficePhone({ children }: { children?: ComponentChildren }): JSX.Element | null {
  const phone = officePhone();
  if (phone === "") return null;
  return (
    <span class="office-phone">
      {children}
      事務局の電話：<a href={`tel:${phone.replace(/[^0-9+]/g, "")}`}>{phone}</a>
    </span>
  );
}
