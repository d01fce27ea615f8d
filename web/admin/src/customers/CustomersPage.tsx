import { Button, NativeSelect } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import classes from "../booking/Booking.module.css";
import { SearchField } from "../booking/SearchField";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import lists from "../frame/Lists.module.css";
import { ListSkeleton } from "../frame/ListSkeleton";
import { More } from "../frame/More";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { type CustomerLink, customerLinksQuery, shopsQuery } from "../shops/queries";
import { inNumbers } from "../shops/words";
import { CustomersTable } from "./CustomersTable";
import { LinkCustomerDialog } from "./LinkCustomerDialog";
import { type CustomersSearch, customersSearch } from "./search";
import { UnlinkCustomerDialog } from "./UnlinkCustomerDialog";

const route = getRouteApi("/inside/customers");

/** Which LINE user is which customer of which shop. */
export function CustomersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const find = useCallback((wanted: CustomersSearch) => void navigate({ search: wanted, replace: true, resetScroll: false }), [navigate]);
  const query = useInfiniteQuery(customerLinksQuery(search));
  const [linking, setLinking] = useState(false);
  const [unlinking, setUnlinking] = useState<CustomerLink | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const links = query.data?.pages.flatMap((page) => page.links) ?? [];
  const settled = query.isSuccess && !query.isPlaceholderData;
  function open(show: () => void): void {
    setTold(null);
    show();
  }
  return (
    <>
      <PageHeading title="お客さま" aside={<Button onClick={() => open(() => setLinking(true))}>手で連携する</Button>}>
        STORES予約のお客さまと、LINEの連携です。連携した方は、LINEから自分の予約を確かめられます。
      </PageHeading>
      <div role="status">
        {told !== null && (
          <Notice tone="success" className={classes.notice}>
            {told}
          </Notice>
        )}
      </div>
      <Filters search={search} find={find} />
      <div className={classes.fading} data-fading={query.isPlaceholderData || undefined} aria-busy={query.isFetching}>
        {query.isPending && <ListSkeleton />}
        {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
        {settled && links.length === 0 && <Nobody search={search} find={find} />}
        {links.length > 0 && <CustomersTable links={links} unlink={(link) => open(() => setUnlinking(link))} />}
        <More query={query} />
      </div>
      <p className={classes.hidden} role="status">
        {settled && `${inNumbers(links.length)}件${query.hasNextPage ? "以上" : ""}を表示しています`}
      </p>
      <LinkCustomerDialog opened={linking} close={() => setLinking(false)} shopId={search.shop_id} find={find} done={setTold} />
      <UnlinkCustomerDialog link={unlinking} close={() => setUnlinking(null)} done={setTold} />
    </>
  );
}

interface FiltersProps {
  search: CustomersSearch;
  find: (search: CustomersSearch) => void;
}

function Filters({ search, find }: FiltersProps) {
  const shops = useQuery(shopsQuery).data?.shops ?? [];
  const words = useCallback((q: string) => find(customersSearch({ ...search, q })), [search, find]);
  return (
    <search className={classes.filters}>
      <div className={classes.words}>
        <SearchField label="お客さまを探す" placeholder="LINEの名前の一部、または番号の全部" value={search.q ?? ""} search={words} />
      </div>
      <NativeSelect label="店舗" size="md" value={search.shop_id ?? ""} onChange={(event) => find(customersSearch({ ...search, shop_id: event.currentTarget.value }))}>
        <option value="">すべての店舗</option>
        {shops.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" size="md" className={classes.natural} onClick={() => find({})}>
          条件を消す
        </Button>
      )}
    </search>
  );
}

function Nobody({ search, find }: FiltersProps) {
  if (Object.keys(search).length === 0) {
    return <Empty title="連携したお客さまは、まだいません">お客さまがヘルプページやLINEで本人だと確かめると、ここに並びます。</Empty>;
  }
  return (
    <div className={lists.empty}>
      <h2>条件に合うお客さまはいません</h2>
      <p>LINEの名前は一部で、LINEのユーザーIDとSTORESの顧客番号は全部を入れると見つかります。</p>
      <Button variant="default" size="md" mt="md" onClick={() => find({})}>
        条件を消す
      </Button>
    </div>
  );
}
