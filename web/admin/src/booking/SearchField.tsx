import { TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  search: (words: string) => void;
}

const PAUSE_MS = 300;

/** The server is asked after a moment of rest, not letter by letter. */
export function SearchField({ label, placeholder, value, search }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  // Something else changed it: a button that clears the filters, or the browser's way back.
  useEffect(() => {
    if (value !== asked.current) setText(value);
    asked.current = value;
  }, [value]);
  useEffect(() => {
    if (text.trim() === asked.current.trim()) return undefined;
    const timer = setTimeout(() => {
      asked.current = text.trim();
      search(text.trim());
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, search]);
  return (
    <TextInput
      label={label}
      type="search"
      size="md"
      maxLength={100}
      autoComplete="off"
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
