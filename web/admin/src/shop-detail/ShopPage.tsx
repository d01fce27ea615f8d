import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ApiError } from "../../../api/errors";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { type Shop, shopQuery } from "../shops/queries";
import own from "../shops/Shops.module.css";
import { SHOP_STATUSES } from "../shops/words";
import { AboutCard } from "./AboutCard";
import { ConnectionCard } from "./ConnectionCard";
import { HelpCard } from "./HelpCard";
import { ParametersCard } from "./ParametersCard";
import { CallsCard, TicketsCard } from "./RecentCards";

const route = getRouteApi("/inside/shops/$shopId");

export function ShopPage() {
  const { shopId } = route.useParams();
  const number = /^[1-9]\d{0,14}$/.test(shopId) ? Number(shopId) : null;
  const { data, error, refetch } = useQuery({ ...shopQuery(number ?? 0), enabled: number !== null });
  const missing = number === null || (error instanceof ApiError && (error.status === 404 || error.status === 400));
  return (
    <>
      <Link data-screen-only to="/shops" search={{}} className={classes.back}>
        ← 店舗の一覧へ
      </Link>
      {!data && <PageHeading title="店舗" />}
      {missing && <Empty title="この店舗は見つかりません">アドレスがまちがっているようです。店舗の一覧からお探しください。</Empty>}
      {error && !missing && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && !missing && <ListSkeleton />}
      {data && <ShopScreen key={data.id} shop={data} />}
    </>
  );
}

function ShopScreen({ shop }: { shop: Shop }) {
  const status = SHOP_STATUSES[shop.shop_status];
  return (
    <>
      <PageHeading title={shop.name} aside={<Badge tone={status.tone}>{status.name}</Badge>}>
        {`店舗コード ${shop.code}`}
      </PageHeading>
      <div className={own.columns}>
        <div>
          <ConnectionCard shop={shop} />
          <ParametersCard shop={shop} />
        </div>
        <div>
          <AboutCard shop={shop} />
          <HelpCard shop={shop} />
          <TicketsCard shop={shop} />
          <CallsCard shop={shop} />
        </div>
      </div>
    </>
  );
}
