import { type RefObject, useEffect, useRef } from "react";
import type { FieldErrors } from "../booking/forms";

/** The form whose first wrong field gets the focus, so that nobody has to look for it. */
export function useFirstError(errors: FieldErrors): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return form;
}
