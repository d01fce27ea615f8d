import { Button } from "@mantine/core";
import { ApiError, Unreachable } from "../../../api/errors";
import { Notice } from "./Notice";
import { useDocumentTitle } from "./PageHeading";

interface FailureProps {
  error: unknown;
  retry: () => void;
}

/** What happened and what to do, in the place of what could not be loaded. */
export function Failure({ error, retry }: FailureProps) {
  return (
    <Notice tone="danger" title="表示できませんでした" requestId={error instanceof ApiError ? error.requestId : null} alert>
      <p style={{ margin: "0 0 0.75rem" }}>{textOf(error)}</p>
      <Button variant="default" size="sm" onClick={retry}>
        もう一度読み込む
      </Button>
    </Notice>
  );
}

function textOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof Unreachable) return error.message;
  return "画面の表示中に問題が起きました。もう一度読み込んでも直らないときは、システムの担当者にお知らせください。";
}

/** The same where there is no frame yet, or no longer. */
export function FailurePage(props: FailureProps) {
  useDocumentTitle("エラー");
  return (
    <main style={{ maxWidth: "40rem", margin: "clamp(2rem, 12vh, 7rem) auto", padding: "0 1rem" }}>
      <h1 style={{ marginBottom: "1rem" }}>管理画面を開けませんでした</h1>
      <Failure {...props} />
    </main>
  );
}
