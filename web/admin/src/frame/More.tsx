import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { mayHaveMore, type RestOfList } from "../paper/printing";
import { Failure } from "./Failure";
import classes from "./Lists.module.css";

interface MoreProps {
  query: RestOfList & {
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
  };
}

/** The foot of a long list. A page that did not arrive leaves those above it standing. */
export function More({ query }: MoreProps) {
  const list = useRef<RestOfList>(query);
  list.current = query;
  useEffect(() => mayHaveMore(list), []);
  if (query.isFetchNextPageError) return <Failure error={query.error} retry={() => void query.fetchNextPage()} />;
  if (!query.hasNextPage) return null;
  return (
    <div className={classes.more}>
      <Button variant="default" size="md" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        もっと見る
      </Button>
      <p data-paper-only>
        この一覧には、まだ続きがあります。すべてを印刷するには、画面でCtrl＋P（Macは⌘＋P）を押すか、「もっと見る」を終わりまで押してから印刷してください。
      </p>
    </div>
  );
}
