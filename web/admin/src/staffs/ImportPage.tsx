import { Button } from "@mantine/core";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { answerOf, api } from "../api/client";
import { save } from "../api/files";
import classes from "../booking/Booking.module.css";
import { bookingChanged, departmentsQuery } from "../booking/queries";
import { StaffsTabs } from "../booking/SectionTabs";
import type { ImportResult } from "../booking/shapes";
import { newIdempotencyKey } from "../../../api/idempotency-key";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { Refusal } from "../members/Refusal";
import { FileDrop } from "./FileDrop";
import { applyLabel, hasNamesForCodes, MOST_NEW_DEPARTMENTS, TEMPLATE_NAME, template } from "./import";
import { MissingDepartments } from "./MissingDepartments";
import { ImportRows } from "./ImportRows";
import { RefusedRows } from "./RefusedRows";

/** A file that was read once, so that what is imported is what was looked at, with its key: pressed twice, it is imported once. */
interface Checked {
  content: ArrayBuffer;
  key: string;
  /** What an import does without new departments, and with them where some are missing. */
  without: ImportResult;
  withDepartments: ImportResult | null;
  /** Whether the column of codes has names of departments, so that nobody is led to make them again. */
  doubtful: boolean;
}

async function send(content: ArrayBuffer, creates: boolean, key: string | null): Promise<ImportResult> {
  const headers = { "Content-Type": "text/csv", ...(key === null ? {} : { "Idempotency-Key": key }) };
  const query = { dryRun: key === null ? ("true" as const) : ("false" as const), createDepartments: creates ? ("true" as const) : ("false" as const) };
  const body = content as unknown as string;
  // The file goes as it is: the server finds out how its characters are written.
  return await answerOf(api.POST("/api/admin/staffs/import", { params: { query }, body, bodySerializer: (bytes: unknown) => bytes, headers }));
}

async function check(client: QueryClient, file: File): Promise<Checked> {
  const content = await file.arrayBuffer();
  const without = await send(content, false, null);
  const missing = without.unknownDepartments.length;
  const withDepartments = missing > 0 && missing <= MOST_NEW_DEPARTMENTS ? await send(content, true, null) : null;
  const doubtful = withDepartments !== null && hasNamesForCodes(await client.fetchQuery(departmentsQuery), without);
  return { content, key: newIdempotencyKey(), without, withDepartments, doubtful };
}

export function ImportPage() {
  const client = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const checking = useMutation({ mutationFn: (file: File) => check(client, file) });
  const checked = checking.data;
  const wanted = chosen ?? checked?.doubtful === false;
  const creates = wanted && checked?.withDepartments != null;
  const applying = useMutation({ mutationFn: (one: Checked) => send(one.content, creates, one.key), onSuccess: () => bookingChanged(client) });
  function choose(file: File): void {
    setName(file.name);
    setChosen(null);
    applying.reset();
    checking.mutate(file);
  }
  function begin(): void {
    setName(null);
    checking.reset();
    applying.reset();
  }
  const planned = creates ? checked.withDepartments : checked?.without;
  const result = applying.data ?? planned;
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
      {name === null && <FileDrop choose={choose} />}
      {checking.isPending && <ListSkeleton />}
      {checking.isError && (
        <>
          <Refusal title={`「${name ?? ""}」を読み取れませんでした`} error={checking.error} />
          <Button variant="default" size="md" mt="md" onClick={begin}>
            別のファイルを選ぶ
          </Button>
        </>
      )}
      {name !== null && checked && result && (
        <>
          {applying.data ? (
            <Done result={applying.data} creates={creates} begin={begin} />
          ) : (
            <section className={classes.card} aria-labelledby="import-question">
              <h2 id="import-question">「{name}」の確認</h2>
              <p>{whatHappens(result, !creates && checked.withDepartments !== null)}</p>
              <MissingDepartments result={checked.without} possible={checked.withDepartments !== null} creates={wanted} change={setChosen} disabled={applying.isPending} />
              <div className={classes.buttons}>
                {result.summary.created > 0 && (
                  <Button size="md" aria-label={applyLabel(result, creates).join("")} loading={applying.isPending} onClick={() => applying.mutate(checked)} styles={WRAPPING}>
                    {applyLabel(result, creates).map((part) => (
                      <Fragment key={part}>
                        {part}
                        <wbr />
                      </Fragment>
                    ))}
                  </Button>
                )}
                <Button variant="default" size="md" disabled={applying.isPending} onClick={begin}>
                  別のファイルを選ぶ
                </Button>
              </div>
            </section>
          )}
          {applying.isError && <Refusal title="登録できませんでした。1人も登録されていません" error={applying.error} />}
          <RefusedRows result={result} content={checked.content} creates={creates} />
          <ImportRows result={result} applied={applying.data !== undefined} creates={creates} />
        </>
      )}
    </>
  );
}

// On a phone the label of departments and people needs two lines. It breaks between the two only.
const WRAPPING = {
  root: { height: "auto", minHeight: "2.625rem", paddingBlock: "0.375rem" },
  label: { whiteSpace: "normal" as const, wordBreak: "keep-all" as const, lineHeight: 1.5 },
};

function whatHappens({ summary, rows }: ImportResult, couldMakeDepartments: boolean): string {
  const { created, skippedInvalid, duplicateInFile, skippedExisting } = summary;
  const refused = skippedInvalid + duplicateInFile;
  const known = skippedExisting > 0 ? `${count(skippedExisting)}人はすでに登録済みで、変わりません。` : "";
  if (rows.length === 0) return "職員の行がありません。1行目の下に、1人を1行で書いてください。";
  if (created === 0 && refused === 0) return "このファイルの方は、全員がすでに登録されています。登録済みの方は変わりません。";
  if (created === 0 && couldMakeDepartments) return `${known}登録できる行がありません。下の部署も作るか、ファイルを直して、もう一度選んでください。`;
  if (created === 0) return `${known}登録できる行がありません。ファイルを直して、もう一度選んでください。`;
  return `まだ登録していません。${count(rows.length)}行のうち、${count(created)}人を登録できます。${known}${refused > 0 ? `${count(refused)}行は登録できません。` : ""}`;
}

function Done({ result, creates, begin }: { result: ImportResult; creates: boolean; begin: () => void }) {
  const departments = creates ? result.unknownDepartments : [];
  const unnamed = departments.filter((one) => one.name === one.code).length;
  return (
    <div className={classes.notice}>
      <Notice tone="success" title={`${count(result.summary.created)}人を登録しました`} alert>
        {departments.length > 0 && (
          <p style={{ margin: "0 0 0.75rem" }}>
            部署を{count(departments.length)}件作りました。
            {unnamed > 0 && `そのうち${count(unnamed)}件は、コードがそのまま名前になっています。`}
            <Link to="/staffs/departments">部署の名前を確かめる</Link>
          </p>
        )}
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

function count(number: number): string {
  return number.toLocaleString("ja-JP");
}
