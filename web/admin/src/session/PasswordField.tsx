import { ActionIcon, TextInput } from "@mantine/core";
import { type KeyboardEvent, type Ref, useState } from "react";
import { HideIcon, ShowIcon } from "../frame/icons";

interface PasswordFieldProps {
  ref: Ref<HTMLInputElement>;
  value: string;
  onChange: (value: string) => void;
  error: string | false;
  autoFocus: boolean;
  label?: string;
  name?: string;
  /** A new password is one that the browser may suggest. */
  autoComplete?: "current-password" | "new-password";
  description?: string | undefined;
}

/** Mantine's own password field answers the mouse alone; this switch also answers keys and screen readers. */
export function PasswordField({
  ref,
  value,
  onChange,
  error,
  autoFocus,
  label = "パスワード",
  name = "password",
  autoComplete = "current-password",
  description,
}: PasswordFieldProps) {
  const [visible, setVisible] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState("CapsLock"));
  return (
    <TextInput
      ref={ref}
      label={label}
      size="md"
      type={visible ? "text" : "password"}
      name={name}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={autoFocus}
      data-autofocus={autoFocus || undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyUp={watchCapsLock}
      error={error}
      description={capsLock ? "Caps Lock がオンになっています" : description}
      inputWrapperOrder={["label", "input", "description", "error"]}
      rightSection={
        <ActionIcon variant="subtle" aria-label={`${label}を表示する`} aria-pressed={visible} onClick={() => setVisible(!visible)}>
          {visible ? <HideIcon /> : <ShowIcon />}
        </ActionIcon>
      }
    />
  );
}
