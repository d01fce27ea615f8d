import { Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Failure } from "../../frame/Failure";
import { Moment } from "../../frame/Moment";
import { More } from "../../frame/More";
import type { Person } from "../event";
import { historyQuery } from "../queries";
import classes from "./People.module.css";
import { StatusMark } from "./StatusMark";

/** Every answer of one person, the newest first. */
export function History({ eventId, person }: { eventId: number; person: Person }) {
  const query = useInfiniteQuery(historyQuery(eventId, person));
  const answers = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {query.isPending && <Skeleton height={72} mt="sm" />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && answers.length === 0 && <p>まだ回答はありません。</p>}
      <ul className={classes.history}>
        {answers.map((answer) => (
          <li key={answer.id}>
            <StatusMark status={answer.status} />
            <span className={classes.when}>
              <Moment at={answer.responded_at} />
              {answer.via === "admin" && <span className={classes.proxy}>事務局が代理入力</span>}
            </span>
            {answer.extra_text && <p className={classes.memo}>{answer.extra_text}</p>}
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  );
}
