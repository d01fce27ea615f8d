import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client";
import { saveAnswer } from "../api/files";
import booking from "../booking/Booking.module.css";
import { Refusal } from "../members/Refusal";
import { EraseDialog } from "./EraseDialog";
import classes from "./Person.module.css";
import type { PersonPageData } from "./queries";
import { nameOf } from "./words";

/** What the law lets a person ask for: what is stored about them, and that it goes. */
export function PersonalDataCard({ person, done }: { person: PersonPageData; done: (text: string) => void }) {
  const [erasing, setErasing] = useState(false);
  const path = { kind: person.kind, id: person.id };
  const exporting = useMutation({
    mutationFn: () => saveAnswer(api.GET("/api/admin/people/{kind}/{id}/export", { params: { path }, parseAs: "blob" }), `person-${person.kind}-${person.id}.json`),
    onSuccess: () => done(`${nameOf(person)}の個人データを書き出しました。`),
  });
  return (
    <section className={booking.card} aria-labelledby="personal-data">
      <h2 id="personal-data">個人データ</h2>
      <p className={classes.advice}>ご本人から開示や消去の求めがあったときに使います。どちらも操作履歴に残ります。</p>
      <div className={classes.actions}>
        <Button variant="default" size="md" onClick={() => exporting.mutate()} loading={exporting.isPending}>
          書き出す
        </Button>
        <Button variant="default" size="md" className={classes.danger ?? ""} onClick={() => setErasing(true)}>
          消去する…
        </Button>
      </div>
      {exporting.isError && <Refusal title="書き出せませんでした" error={exporting.error} />}
      <EraseDialog person={person} opened={erasing} close={() => setErasing(false)} done={done} />
    </section>
  );
}
