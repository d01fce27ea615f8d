import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "../api/client";
import { saveAnswer } from "../api/files";
import classes from "../booking/Booking.module.css";
import type { ImportResult } from "../booking/shapes";
import { Refusal } from "../members/Refusal";
import { reasonCounts } from "./import";
import own from "./Staffs.module.css";

interface RefusedRowsProps {
  result: ImportResult;
  content: ArrayBuffer;
  creates: boolean;
}

/** Why rows are refused, with how many, and these rows as a file that can be mended and chosen again. */
export function RefusedRows({ result, content, creates }: RefusedRowsProps) {
  const reasons = useMemo(() => reasonCounts(result.rows), [result]);
  const saving = useMutation({
    mutationFn: () =>
      saveAnswer(
        api.POST("/api/admin/staffs/import/rejected", {
          params: { query: { createDepartments: creates ? "true" : "false" } },
          body: content as unknown as string,
          bodySerializer: (bytes: unknown) => bytes,
          headers: { "Content-Type": "text/csv" },
          parseAs: "blob",
        }),
        "登録できない職員.csv",
      ),
  });
  const refused = result.summary.skippedInvalid + result.summary.duplicateInFile;
  if (refused === 0) return null;
  return (
    <section className={classes.card} aria-labelledby="refused-rows">
      <h2 id="refused-rows">登録できない行 {refused.toLocaleString("ja-JP")}行</h2>
      <ul className={own.counts}>
        {reasons.map(([reason, count]) => (
          <li key={reason}>
            <span>{reason}</span>
            <span className={classes.number}>{count.toLocaleString("ja-JP")}行</span>
          </li>
        ))}
      </ul>
      <p className={own.hint}>登録できない行だけのCSVを保存できます。「理由」の列を見て直し、そのファイルをもう一度選んでください。</p>
      <Button variant="default" size="md" loading={saving.isPending} onClick={() => saving.mutate()}>
        登録できない行を保存する
      </Button>
      {saving.isError && <Refusal title="保存できませんでした" error={saving.error} />}
    </section>
  );
}
