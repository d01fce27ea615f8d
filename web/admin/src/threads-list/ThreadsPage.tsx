import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import inputs from "../events-list/Input.module.css";
import chips from "../frame/Chips.module.css";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { More } from "../frame/More";
import { PageHeading } from "../frame/PageHeading";
import { threadsQuery } from "../threads/queries";
import type { ThreadsSearch } from "./search";
import { ThreadRows } from "./ThreadRows";
import classes from "./ThreadsList.module.css";

const route = getRouteApi("/inside/threads");

export function ThreadsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // The address changes with every letter, and none of that is worth a step of the back button.
  const find = (wanted: ThreadsSearch) => void navigate({ search: wanted, replace: true, resetScroll: false });
  const query = useInfiniteQuery(threadsQuery(search));
  const threads = query.data?.pages.flatMap((page) => page.threads) ?? [];
  const settled = query.isSuccess && !query.isPlaceholderData;
  return (
    <>
      <PageHeading
        title="日程調整"
        aside={
          <Button size="md" renderRoot={(props) => <Link to="/threads/new" {...props} />}>
            ＋ 新しい日程調整
          </Button>
        }
      >
        集まりの日程を、候補日への○△×で決めます。押すと、回答の状況を見られます。
      </PageHeading>
      <Filters search={search} find={find} />
      <div aria-busy={query.isFetching}>
        {query.isPending && <ListSkeleton />}
        {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
        {settled && threads.length === 0 && <Nothing search={search} find={find} />}
        {threads.length > 0 && <ThreadRows threads={threads} fading={query.isPlaceholderData} />}
        <More query={query} />
      </div>
    </>
  );
}

const CHOICES: readonly { status: ThreadsSearch["status"]; label: string }[] = [
  { status: undefined, label: "すべて" },
  { status: "active", label: "回答待ち" },
  { status: "finalized", label: "決定" },
  { status: "draft", label: "下書き" },
  { status: "cancelled", label: "中止" },
];
const PAUSE_MS = 300;

interface FiltersProps {
  search: ThreadsSearch;
  find: (wanted: ThreadsSearch) => void;
}

function Filters({ search, find }: FiltersProps) {
  return (
    <search className={classes.filters}>
      <Words search={search} find={find} />
      <div className={chips.chips} role="group" aria-label="状態で絞り込む">
        {CHOICES.map(({ status, label }) => (
          <button key={label} type="button" aria-pressed={search.status === status} onClick={() => find(changed(search, { status }))}>
            {label}
          </button>
        ))}
      </div>
    </search>
  );
}

/** Typing is followed after a moment of rest, not letter by letter. */
function Words({ search, find }: FiltersProps) {
  const [text, setText] = useState(search.query ?? "");
  const asked = useRef(search.query ?? "");
  // Somebody else changed it: the button that clears everything, or the browser's way back.
  useEffect(() => {
    if ((search.query ?? "") !== asked.current) setText(search.query ?? "");
    asked.current = search.query ?? "";
  }, [search.query]);
  useEffect(() => {
    if (text.trim() === asked.current.trim()) return undefined;
    const timer = setTimeout(() => {
      asked.current = text.trim() === "" ? "" : text;
      find(changed(search, { query: text }));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, search]);
  return (
    <div className={classes.words}>
      <label htmlFor="threads-query">題名で探す</label>
      <input className={inputs.input} id="threads-query" type="search" maxLength={100} autoComplete="off" value={text} onChange={(event) => setText(event.currentTarget.value)} />
    </div>
  );
}

function changed(search: ThreadsSearch, change: { status?: ThreadsSearch["status"]; query?: string }): ThreadsSearch {
  const { status, query } = { ...search, ...change };
  return { ...(status === undefined ? {} : { status }), ...(query === undefined || query.trim() === "" ? {} : { query }) };
}

function Nothing({ search, find }: FiltersProps) {
  if (search.query !== undefined || search.status !== undefined) {
    return (
      <Empty title="条件に合う日程調整はありません">
        条件を変えて、もう一度探してみてください。
        <br />
        <Button variant="default" size="md" mt="md" onClick={() => find({})}>
          条件を消す
        </Button>
      </Empty>
    );
  }
  return (
    <Empty title="日程調整はまだありません">
      候補日と声をかける方を選べば、3分ほどで送れます。答えが揃ったら表を見て決め、全員に知らせます。
      <br />
      <Button size="md" mt="md" renderRoot={(props) => <Link to="/threads/new" {...props} />}>
        最初の日程調整を作る
      </Button>
    </Empty>
  );
}
