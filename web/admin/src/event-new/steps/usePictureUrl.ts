import { useEffect, useState } from "react";

/** An address for a picture that is nowhere but in this browser; given back when nobody shows it any more. */
export function usePictureUrl(file: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (file === undefined) return setUrl(null);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
