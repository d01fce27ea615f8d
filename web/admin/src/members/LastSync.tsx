import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readConfig } from "../../../api/config";
import { CommandLine } from "../frame/CommandLine";
import { Failure } from "../frame/Failure";
import { Moment } from "../frame/Moment";
import classes from "./LastSync.module.css";
import { lastSyncQuery, type Sync } from "./queries";
import { refusedRows, sourceName, syncCommand } from "./refusals";

/** The roster is brought in by a command alone; this says what it did last and how to run it. */
export function LastSync() {
  const config = readConfig();
  const { data, isPending, isError, error, refetch } = useQuery(lastSyncQuery);
  if (isPending) return <Skeleton className={`${classes.card} ${classes.bone}`} role="status" aria-label="読み込んでいます" />;
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  const command = syncCommand(config.command, data, config.roster_sheet);
  return (
    <section className={classes.card} aria-labelledby="last-sync">
      <div className={classes.head}>
        <h2 id="last-sync">最後の同期</h2>
        {data === null ? (
          <p>まだ一度も同期していません。</p>
        ) : (
          <p>
            <Moment at={data.finished_at} />（{sourceName(data.source)}から）
          </p>
        )}
        {data !== null && <Counts sync={data} />}
      </div>
      <div className={classes.how}>
        <p>
          同期するには、サーバーでこのコマンドを実行します（システムの担当者に依頼できます）。
          {command.includes("--file") && "名簿のファイルがあるフォルダーで実行してください。"}
        </p>
        <CommandLine command={command} />
      </div>
      {data !== null && data.refused > 0 && <Refused sync={data} />}
    </section>
  );
}

function Counts({ sync }: { sync: Sync }) {
  const counts = [
    ["新規", sync.created],
    ["変更", sync.changed],
    ["退会", sync.withdrawn],
    ["変更なし", sync.unchanged],
    ["取り込めず", sync.refused],
  ] as const;
  return (
    <dl className={classes.counts}>
      {counts.map(([name, count]) => (
        <div key={name} data-trouble={(name === "取り込めず" && count > 0) || undefined}>
          <dt>{name}</dt>
          <dd className="figures">{count.toLocaleString("ja-JP")}</dd>
        </div>
      ))}
    </dl>
  );
}

function Refused({ sync }: { sync: Sync }) {
  const rows = refusedRows(sync);
  return (
    <details className={classes.refused}>
      <summary>取り込めなかった{sync.refused.toLocaleString("ja-JP")}行と、その理由</summary>
      <p>シートのこの行を直して、もう一度同期してください。それまで、その会員は前のまま残ります。</p>
      <ul>
        {rows.map(({ row, reasons }) => (
          <li key={row}>
            <strong className="figures">{row}行目</strong>
            <span>{reasons.join("。")}</span>
          </li>
        ))}
      </ul>
      {sync.refused > rows.length && <p>ほか{(sync.refused - rows.length).toLocaleString("ja-JP")}行は、コマンドの画面で確かめられます。</p>}
    </details>
  );
}
