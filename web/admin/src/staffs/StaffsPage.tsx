import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import classes from "../booking/Booking.module.css";
import { ExportMenu } from "../booking/ExportMenu";
import { StaffsTabs } from "../booking/SectionTabs";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { More } from "../frame/More";
import { PageHeading } from "../frame/PageHeading";
import { BulkUnlock } from "./BulkUnlock";
import { NewStaffDialog } from "./NewStaffDialog";
import { NobodyFound } from "./NobodyFound";
import { staffsQuery } from "./queries";
import { RegistrationCodePanel } from "./RegistrationCodePanel";
import type { StaffsSearch } from "./search";
import { StaffsFilters } from "./StaffsFilters";
import { StaffsTable } from "./StaffsTable";

const route = getRouteApi("/inside/staffs");

export function StaffsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const find = useCallback((wanted: StaffsSearch) => void navigate({ search: wanted, replace: true, resetScroll: false }), [navigate]);
  const query = useInfiniteQuery(staffsQuery(search));
  const [adding, setAdding] = useState(false);
  const staffs = query.data?.pages.flatMap((page) => page.items) ?? [];
  const settled = query.isSuccess && !query.isPlaceholderData;
  return (
    <>
      <PageHeading
        title="職員"
        aside={
          <div className={classes.buttons}>
            <ExportMenu path="/api/admin/staffs/export" query={search} name="職員" />
            <Button variant="default" onClick={() => setAdding(true)}>
              1人登録する
            </Button>
            <Button renderRoot={(props) => <Link to="/staffs/import" {...props} />}>CSVで登録する</Button>
          </div>
        }
      >
        予約をする職員の名簿です。ロックの解除や暗証番号の初期化も、ここから行えます。
      </PageHeading>
      <StaffsTabs />
      <RegistrationCodePanel />
      <StaffsFilters search={search} find={find} />
      {search.state === "locked" && staffs.length > 0 && <BulkUnlock staffs={staffs} more={query.hasNextPage} />}
      <div className={classes.fading} data-fading={query.isPlaceholderData || undefined} aria-busy={query.isFetching}>
        {query.isPending && <ListSkeleton />}
        {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
        {settled && staffs.length === 0 && <NobodyFound search={search} find={find} />}
        {staffs.length > 0 && <StaffsTable staffs={staffs} />}
        <More query={query} />
      </div>
      <p className={classes.hidden} role="status">
        {settled && `${staffs.length.toLocaleString("ja-JP")}人${query.hasNextPage ? "以上" : ""}を表示しています`}
      </p>
      <NewStaffDialog opened={adding} close={() => setAdding(false)} />
    </>
  );
}
