import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import booking from "../booking/Booking.module.css";
import { ExportMenu } from "../booking/ExportMenu";
import chips from "../frame/Chips.module.css";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { More } from "../frame/More";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { TimelineDrawer } from "../timeline/TimelineDrawer";
import { Mismatches } from "./Mismatches";
import classes from "./Payments.module.css";
import { PaymentsFilters } from "./PaymentsFilters";
import { PaymentsTable } from "./PaymentsTable";
import { type Payment, type PaymentPage, paymentsQuery } from "./queries";
import { RefundDialog } from "./RefundDialog";
import { isNarrowed, type PaymentsSearch } from "./search";

const route = getRouteApi("/inside/payments");

/** Who has paid, who still has to, what was paid back, and money that does not fit. */
export function PaymentsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const find = (wanted: PaymentsSearch) => void navigate({ search: wanted, replace: true, resetScroll: false });
  const query = useInfiniteQuery(paymentsQuery(search));
  const [looking, setLooking] = useState<Payment | null>(null);
  const [refunding, setRefunding] = useState<Payment | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const payments = query.data?.pages.flatMap((page) => page.items) ?? [];
  const first = query.data?.pages[0];
  return (
    <>
      <PageHeading title="決済" aside={<ExportMenu path="/api/admin/payments/export" query={search} name="決済" />}>
        料金のある予約の支払いと返金を確かめられます。支払いはStripeで受け付けます。
      </PageHeading>
      <div role="status">
        {told !== null && (
          <Notice tone="success" className={booking.notice}>
            {told}
          </Notice>
        )}
      </div>
      {first && (
        <>
          <Mismatches mismatches={first.mismatches} total={first.totals.mismatches} done={setTold} />
          <Counters totals={first.totals} search={search} find={find} />
        </>
      )}
      <PaymentsFilters search={search} find={find} />
      {query.isPending && <ListSkeleton />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && payments.length === 0 && <Nothing search={search} find={find} />}
      <div className={booking.fading} data-fading={query.isPlaceholderData || undefined}>
        {payments.length > 0 && <PaymentsTable payments={payments} look={setLooking} refund={setRefunding} />}
      </div>
      <More query={query} />
      <TimelineDrawer subject={looking} close={() => setLooking(null)} />
      <RefundDialog payment={refunding} close={() => setRefunding(null)} done={setTold} />
    </>
  );
}

/** What is open, whatever is looked for; a press shows it. */
function Counters({ totals, search, find }: { totals: PaymentPage["totals"]; search: PaymentsSearch; find: (search: PaymentsSearch) => void }) {
  const counters = [
    { label: "返金の手続き中", count: totals.refundsPending, wanted: { refund: "PENDING" } },
    { label: "返金できず", count: totals.refundsFailed, wanted: { refund: "FAILED" } },
  ] as const;
  return (
    <div className={`${chips.chips} ${classes.counters}`}>
      <p>
        支払いを待っている席 <strong className="figures">{totals.waiting.toLocaleString("ja-JP")}</strong>
      </p>
      {counters.map(({ label, count, wanted }) => {
        const on = search.refund === wanted.refund;
        return (
          <button key={label} type="button" aria-pressed={on} data-trouble={(wanted.refund === "FAILED" && count > 0) || undefined} onClick={() => find(on ? {} : wanted)}>
            {label} <span className="figures">{count.toLocaleString("ja-JP")}</span>
          </button>
        );
      })}
    </div>
  );
}

function Nothing({ search, find }: { search: PaymentsSearch; find: (search: PaymentsSearch) => void }) {
  if (!isNarrowed(search)) return <Empty title="決済はまだありません">予約の種類に料金を付けると、職員が支払った記録がここに並びます。</Empty>;
  return (
    <div className={lists.empty}>
      <h2>条件に合う決済はありません</h2>
      <Button variant="default" size="md" mt="md" onClick={() => find({})}>
        条件を消す
      </Button>
    </div>
  );
}
