import { Button } from "@mantine/core";
import { Refusal } from "../members/Refusal";
import type { RecordKey } from "./queries";
import { useDecision } from "./useDecision";

/** A decision stays in the history; it only no longer counts. */
export function TakeBack({ first, second, done }: { first: RecordKey; second: RecordKey; done: (text: string) => void }) {
  const deciding = useDecision(() => done("記録を取り消しました。"));
  return (
    <>
      <Button variant="subtle" size="compact-sm" loading={deciding.isPending} onClick={() => deciding.mutate({ first, second, verdict: "open" })}>
        この記録を取り消す
      </Button>
      {deciding.isError && <Refusal title="取り消せませんでした" error={deciding.error} />}
    </>
  );
}
