import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Dialog.module.css";

interface DialogProps {
  opened: boolean;
  /** Null: nothing but what stands in it closes it. */
  close: (() => void) | null;
  title: string;
  size?: string;
  children: ReactNode;
}

/** A click beside it means nothing: half a form would be gone with it. Escape and the cross close it. */
export function Dialog({ opened, close, title, size = "md", children }: DialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={close ?? (() => {})}
      closeOnEscape={close !== null}
      withCloseButton={close !== null}
      title={title}
      size={size}
      centered
      radius="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "閉じる" }}
      classNames={{ title: classes.title ?? "", body: classes.body ?? "" }}
    >
      {children}
    </Modal>
  );
}
