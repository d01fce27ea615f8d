import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ApiError } from "../../../api/errors";
import classes from "../booking/Booking.module.css";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { AccountCard } from "./AccountCard";
import { HistoryCard } from "./HistoryCard";
import { ProfileCard } from "./ProfileCard";
import { type StaffDetail, staffQuery } from "./queries";
import { ReservationsCard } from "./ReservationsCard";
import { StaffBadges } from "./StaffBadges";
import own from "./Staffs.module.css";

const route = getRouteApi("/inside/staffs/$staffUid");

export function StaffPage() {
  const { staffUid } = route.useParams();
  const { data, error, refetch } = useQuery(staffQuery(staffUid));
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <>
      <Link data-screen-only to="/staffs" search={{}} className={classes.back}>
        ← 職員の一覧へ
      </Link>
      {!data && <PageHeading title="職員" />}
      {missing && <Empty title="この職員は見つかりません">アドレスがまちがっているようです。職員の一覧からお探しください。</Empty>}
      {error && !missing && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data && <Person staff={data} />}
    </>
  );
}

function Person({ staff }: { staff: StaffDetail }) {
  return (
    <>
      <PageHeading title={staff.fullName || "（氏名なし）"} aside={<StaffBadges staff={staff} />}>
        {`職員番号 ${staff.staffId}・${staff.departmentName}・${staff.jobTitle}`}
      </PageHeading>
      <div className={own.columns}>
        <div>
          <ProfileCard staff={staff} />
          <ReservationsCard staffUid={staff.staffUid} />
        </div>
        <div>
          <AccountCard staff={staff} />
          <HistoryCard staffUid={staff.staffUid} />
        </div>
      </div>
    </>
  );
}
