import { Button } from "@mantine/core";
import { Failure } from "./Failure";
import classes from "./Lists.module.css";

interface MoreProps {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => unknown;
  };
}

/** The foot of a long list. A page that did not arrive leaves those above it standing. */
export function More({ query }: MoreProps) {
  if (query.isFetchNextPageError) return <Failure error={query.error} retry={() => void query.fetchNextPage()} />;
  if (!query.hasNextPage) return null;
  return (
    <div className={classes.more}>
      <Button variant="default" size="md" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        もっと見る
      </Button>
    </div>
  );
}
