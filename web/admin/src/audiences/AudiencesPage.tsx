import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { PageHeading } from "../frame/PageHeading";
import { AudienceList } from "./AudienceList";
import classes from "./AudiencesPage.module.css";
import { DeleteDialog } from "./DeleteDialog";
import { NameDialog } from "./NameDialog";
import { type Audience, audiencesQuery } from "./queries";

export function AudiencesPage() {
  const query = useQuery(audiencesQuery);
  const [naming, setNaming] = useState<Audience | "new" | null>(null);
  const [deleting, setDeleting] = useState<Audience | null>(null);
  const audiences = query.data;
  const create = () => setNaming("new");
  return (
    <>
      <PageHeading
        title="グループ"
        aside={
          <Button size="md" onClick={create}>
            グループを作る
          </Button>
        }
      >
        理事会や委員会など、いつも一緒に案内する方のまとまりです。イベントを作るときに、グループで選べます。
      </PageHeading>
      {query.isPending && <ListSkeleton />}
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {audiences?.length === 0 && (
        <div className={lists.empty}>
          <h2>グループはまだありません</h2>
          <p>「理事会」「総務委員会」のようなグループを作っておくと、案内する方を一度に選べます。</p>
          <Button size="md" mt="lg" onClick={create}>
            最初のグループを作る
          </Button>
        </div>
      )}
      {audiences && audiences.length > 0 && (
        <>
          {audiences.length > 1 && <p className={classes.hint}>左の印をつかんで動かすか、上下のボタンで並べ替えられます。この順で、イベントを作るときにも並びます。</p>}
          <AudienceList audiences={audiences} rename={setNaming} remove={setDeleting} />
        </>
      )}
      <NameDialog naming={naming} audiences={audiences ?? []} close={() => setNaming(null)} />
      <DeleteDialog audience={deleting} close={() => setDeleting(null)} />
    </>
  );
}
