import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import { save } from "../api/files";
import classes from "../booking/Booking.module.css";
import { bookingChanged } from "../booking/queries";
import { StaffsTabs } from "../booking/SectionTabs";
import type { ImportResult } from "../booking/shapes";
import { newIdempotencyKey } from "../../../api/idempotency-key";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { Refusal } from "../members/Refusal";
import { FileDrop } from "./FileDrop";
import { TEMPLATE_NAME, template } from "./import";
import { ImportRows } from "./ImportRows";

/** A chosen file with the key under which it is imported: pressed twice, it is imported once. */
interface Chosen {
  file: File;
  key: string;
}

async function send({ file, key }: Chosen, dryRun: "true" | "false"): Promise<ImportResult> {
  const headers = { "Content-Type": "text/csv", ...(dryRun === "true" ? {} : { "Idempotency-Key": key }) };
  const body = file as unknown as string;
  // The file goes as it is: the server finds out how its characters are written.
  return await answerOf(api.POST("/api/admin/staffs/import", { params: { query: { dryRun } }, body, bodySerializer: (bytes: unknown) => bytes, headers }));
}

export function ImportPage() {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const checking = useMutation({ mutationFn: (wanted: Chosen) => send(wanted, "true") });
  const applying = useMutation({ mutationFn: (wanted: Chosen) => send(wanted, "false"), onSuccess: () => bookingChanged(client) });
  function choose(file: File): void {
    const wanted = { file, key: newIdempotencyKey() };
    setChosen(wanted);
    applying.reset();
    checking.mutate(wanted);
  }
  function begin(): void {
    setChosen(null);
    checking.reset();
    applying.reset();
  }
  const result = applying.data ?? checking.data;
  return (
    <>
      <PageHeading
        title="CSVで職員を登録"
        aside={
          <Button variant="default" onClick={() => save(template(), TEMPLATE_NAME)}>
            ひな形をダウンロード
          </Button>
        }
      >
        人事システムやExcelのCSVから、職員をまとめて登録します。登録する前に、1行ずつ結果を確かめられます。
      </PageHeading>
      <StaffsTabs />
      {chosen === null && <FileDrop choose={choose} />}
      {checking.isPending && <ListSkeleton />}
      {checking.isError && (
        <>
          <Refusal title={`「${chosen?.file.name ?? ""}」を読み取れませんでした`} error={checking.error} />
          <Button variant="default" size="md" mt="md" onClick={begin}>
            別のファイルを選ぶ
          </Button>
        </>
      )}
      {chosen && result && (
        <>
          {applying.data ? (
            <Done result={applying.data} begin={begin} />
          ) : (
            <Question chosen={chosen} result={result} applying={applying.isPending} apply={() => applying.mutate(chosen)} begin={begin} />
          )}
          {applying.isError && <Refusal title="登録できませんでした。1人も登録されていません" error={applying.error} />}
          <ImportRows result={result} applied={applying.data !== undefined} />
        </>
      )}
    </>
  );
}

interface QuestionProps {
  chosen: Chosen;
  result: ImportResult;
  applying: boolean;
  apply: () => void;
  begin: () => void;
}

function Question({ chosen, result, applying, apply, begin }: QuestionProps) {
  const count = result.summary.created;
  return (
    <section className={classes.card} aria-labelledby="import-question">
      <h2 id="import-question">「{chosen.file.name}」の確認</h2>
      <p>
        {count > 0
          ? `まだ登録していません。下の結果でよければ、${count.toLocaleString("ja-JP")}人を登録します。すでに登録済みの方は変わりません。`
          : "登録できる行がありません。ファイルを直して、もう一度選んでください。"}
      </p>
      <div className={classes.buttons}>
        {count > 0 && (
          <Button size="md" loading={applying} onClick={apply}>
            {count.toLocaleString("ja-JP")}人を登録する
          </Button>
        )}
        <Button variant="default" size="md" disabled={applying} onClick={begin}>
          別のファイルを選ぶ
        </Button>
      </div>
    </section>
  );
}

function Done({ result, begin }: { result: ImportResult; begin: () => void }) {
  return (
    <div className={classes.notice}>
      <Notice tone="success" title={`${result.summary.created.toLocaleString("ja-JP")}人を登録しました`} alert>
        <p style={{ margin: "0 0 0.75rem" }}>最初の暗証番号（PIN）は「0000」です。本人が最初のログインで変えます。</p>
        <div className={classes.buttons}>
          <Button renderRoot={(props) => <Link to="/staffs" search={{ state: "initialPin" }} {...props} />}>登録した職員を見る</Button>
          <Button variant="default" onClick={begin}>
            続けて別のファイルを取り込む
          </Button>
        </div>
      </Notice>
    </div>
  );
}
