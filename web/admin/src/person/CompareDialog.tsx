import { Button, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog } from "../audiences/Dialog";
import booking from "../booking/Booking.module.css";
import { Refusal } from "../members/Refusal";
import classes from "./Person.module.css";
import type { ShownRecord, Suggestion } from "./queries";
import { useDecision } from "./useDecision";
import { compared, KIND_NAMES, nameOf, traitNames } from "./words";

interface CompareDialogProps {
  suggestion: Suggestion | null;
  records: ShownRecord[];
  close: () => void;
  done: (text: string) => void;
}

/** Both records side by side, and the two answers. Neither changes the records or their links. */
export function CompareDialog({ suggestion, records, close, done }: CompareDialogProps) {
  const ours = records.find(({ kind, id }) => kind === suggestion?.beside.kind && id === suggestion.beside.id);
  return (
    <Dialog opened={suggestion !== null && ours !== undefined} close={close} title="同じ人ですか" size="lg">
      {suggestion && ours && <Comparison suggestion={suggestion} ours={ours} close={close} done={done} />}
    </Dialog>
  );
}

function Comparison({ suggestion, ours, close, done }: Omit<CompareDialogProps, "suggestion" | "records"> & { suggestion: Suggestion; ours: ShownRecord }) {
  const theirs = suggestion.record;
  const [reason, setReason] = useState("");
  const deciding = useDecision(({ verdict }) => {
    done(verdict === "same" ? "同じ人と記録しました。" : "別の人と記録しました。");
    close();
  });
  const decide = (verdict: "same" | "different") => deciding.mutate({ first: ours, second: theirs, verdict, reason });
  return (
    <div className={classes.dialog}>
      <p>{traitNames(suggestion.shared)}記録です。見くらべて、判断を記録してください。名簿や連携そのものは変わりません。</p>
      <table className={classes.comparison}>
        <caption className={booking.hidden}>2つの記録の比較</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{KIND_NAMES[ours.kind]}の記録</th>
            <th scope="col">{KIND_NAMES[theirs.kind]}の記録</th>
          </tr>
        </thead>
        <tbody>
          {compared(ours, theirs).map((line) => (
            <tr key={line.label} data-same={line.same || undefined}>
              <th scope="row">{line.label}</th>
              <td>{line.ours || "―"}</td>
              <td>{line.theirs || "―"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.ways}>
        <Link to="/people/$kind/$id" params={{ kind: theirs.kind, id: theirs.id }}>
          {KIND_NAMES[theirs.kind]}「{nameOf(theirs)}」のページを開く
        </Link>
      </p>
      <TextInput label="どのように確かめましたか（任意）" placeholder="例: 電話で本人に確認" size="md" maxLength={200} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      {deciding.isError && <Refusal title="記録できませんでした" error={deciding.error} />}
      <div className={classes.foot}>
        <Button variant="default" size="md" onClick={() => decide("different")} disabled={deciding.isPending}>
          別の人です
        </Button>
        <Button size="md" onClick={() => decide("same")} loading={deciding.isPending}>
          同じ人です
        </Button>
      </div>
    </div>
  );
}
