import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import classes from "../booking/Booking.module.css";
import { departmentsQuery } from "../booking/queries";
import type { ImportResult } from "../booking/shapes";
import { Notice } from "../frame/Notice";
import { MOST_NEW_DEPARTMENTS, namesake } from "./import";
import own from "./Staffs.module.css";

const SHOWN_AT_FIRST = 8;

interface MissingDepartmentsProps {
  result: ImportResult;
  /** Whether the server has said that it can make them. */
  possible: boolean;
  creates: boolean;
  change: (creates: boolean) => void;
  disabled: boolean;
}

/** The departments that the file names and nobody has registered: each once, and whether they shall be made. */
export function MissingDepartments({ result, possible, creates, change, disabled }: MissingDepartmentsProps) {
  const { data: registered = [] } = useQuery(departmentsQuery);
  const [all, setAll] = useState(false);
  // Those that somebody should look at are not behind the fold.
  const suspicious = result.unknownDepartments.filter((one) => namesake(registered, one.name) !== null);
  const missing = [...suspicious, ...result.unknownDepartments.filter((one) => !suspicious.includes(one))];
  if (missing.length === 0) return null;
  const number = missing.length.toLocaleString("ja-JP");
  const people = missing.reduce((sum, one) => sum + one.rows, 0).toLocaleString("ja-JP");
  if (!possible) {
    return (
      <Notice tone="warning" title={`登録されていない部署が${number}件あります`} className={classes.notice}>
        一度に作れるのは{MOST_NEW_DEPARTMENTS}件までです。部署の列に、部署ではない内容が入っていないか確かめてください。
      </Notice>
    );
  }
  return (
    <section className={own.missing} aria-labelledby="missing-departments">
      <h3 id="missing-departments">
        登録されていない部署 {number}件（{people}行）
      </h3>
      <ul className={own.counts}>
        {missing.slice(0, all ? undefined : SHOWN_AT_FIRST).map(({ code, name, rows }) => {
          const same = namesake(registered, name);
          return (
            <li key={code}>
              <span>
                <strong>{name}</strong>
                {name !== code && <span className={classes.soft}>（{code}）</span>}
                {same !== null && (
                  <span className={own.namesake}>
                    {name === code
                      ? `これは登録済みの部署（コードは ${same}）の名前です。部署の名前が入った列なら、列の見出しを「部署名」に変えて、選び直してください。`
                      : `同じ名前の部署がすでにあります（${same}）。コードが違わないか確かめてください。`}
                  </span>
                )}
              </span>
              <span className={classes.number}>{rows.toLocaleString("ja-JP")}行</span>
            </li>
          );
        })}
      </ul>
      {missing.length > SHOWN_AT_FIRST && (
        <button type="button" className={own.unfold} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "はじめだけを表示する" : `残りの${(missing.length - SHOWN_AT_FIRST).toLocaleString("ja-JP")}件も表示する`}
        </button>
      )}
      <Checkbox
        checked={creates}
        disabled={disabled}
        onChange={(event) => change(event.currentTarget.checked)}
        label="これらの部署も作る"
        description="外すと、これらの部署の方は登録しません。名前は、あとから「部署」で直せます。"
      />
    </section>
  );
}
