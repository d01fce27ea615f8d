import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import type { Body } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { SearchField } from "../booking/SearchField";
import chips from "../frame/Chips.module.css";
import { Failure } from "../frame/Failure";
import lists from "../frame/Lists.module.css";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { CONNECTIONS } from "../shops/elsewhere";
import { SystemLight } from "../shops/Light";
import { type Shop, shopsQuery } from "../shops/queries";
import { ShopDialog } from "../shops/ShopDialog";
import type { OutsideSystem } from "../shops/systems";
import { inNumbers } from "../shops/words";
import { SHOWN, type ShopsSearch, shopsSearch } from "./search";
import own from "./ShopsList.module.css";
import { ShopsTable } from "./ShopsTable";
import { countsOf, found, SHOWN_NAMES } from "./shown";

const route = getRouteApi("/inside/shops");

export function ShopsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const find = useCallback((wanted: ShopsSearch) => void navigate({ search: wanted, replace: true, resetScroll: false }), [navigate]);
  const { data, error, isPending, refetch } = useQuery(shopsQuery);
  const [adding, setAdding] = useState(false);
  const add = () => setAdding(true);
  return (
    <>
      <PageHeading title="店舗" aside={<Button onClick={add}>店舗を登録する</Button>}>
        店舗ごとに、STORES予約との接続の状態や、お客さま用のヘルプページを確かめられます。
      </PageHeading>
      {isPending && <ListSkeleton />}
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {data && (data.shops.length === 0 ? <NoShops add={add} /> : <Shops shops={data.shops} search={search} find={find} />)}
      {data && <SharedSystems systems={data.systems} />}
      <ShopDialog
        opened={adding}
        close={() => setAdding(false)}
        title="店舗を登録"
        action="登録する"
        save={(body) => answerOf(api.POST("/api/admin/shops", { body: body as unknown as Body<"/api/admin/shops", "post"> }))}
        done={({ id }) => void navigate({ to: "/shops/$shopId", params: { shopId: String(id) } })}
      />
    </>
  );
}

interface ShopsProps {
  shops: readonly Shop[];
  search: ShopsSearch;
  find: (search: ShopsSearch) => void;
}

function Shops({ shops, search, find }: ShopsProps) {
  const shown = found(shops, search);
  return (
    <>
      <Filters shops={shops} search={search} find={find} />
      {shown.length > 0 ? (
        <ShopsTable shops={shown} />
      ) : (
        <div className={lists.empty}>
          <h2>{search.state === "trouble" && !search.q ? "確認が必要な店舗はありません" : "条件に合う店舗はありません"}</h2>
          <Button variant="default" size="md" mt="md" onClick={() => find({})}>
            条件を消す
          </Button>
        </div>
      )}
      <p className={classes.hidden} role="status">
        {inNumbers(shown.length)}店舗を表示しています
      </p>
    </>
  );
}

function Filters({ shops, search, find }: ShopsProps) {
  const counts = countsOf(shops);
  const words = useCallback((q: string) => find(shopsSearch({ ...search, q })), [search, find]);
  return (
    <search className={own.filters}>
      <SearchField label="店舗を探す" placeholder="名前・店舗コード" value={search.q ?? ""} search={words} />
      <div className={chips.chips} role="group" aria-label="状態で絞り込む">
        <button type="button" aria-pressed={search.state === undefined} onClick={() => find(shopsSearch({ ...search, state: "" }))}>
          すべて <span className="figures">{inNumbers(shops.length)}</span>
        </button>
        {SHOWN.map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={search.state === state}
            data-trouble={(state === "trouble" && counts.trouble > 0) || undefined}
            onClick={() => find(shopsSearch({ ...search, state }))}
          >
            {SHOWN_NAMES[state]} <span className="figures">{inNumbers(counts[state])}</span>
          </button>
        ))}
      </div>
    </search>
  );
}

function NoShops({ add }: { add: () => void }) {
  return (
    <div className={lists.empty}>
      <h2>店舗はまだ登録されていません</h2>
      <p>店舗を登録して、STORES予約の接続トークンを入れると、お客さま用のヘルプページが使えるようになります。</p>
      <Button size="md" mt="lg" onClick={add}>
        最初の店舗を登録する
      </Button>
    </div>
  );
}

/** The systems that belong to no shop: through them the office hears of trouble in the shops. */
function SharedSystems({ systems }: { systems: readonly OutsideSystem[] }) {
  return (
    <section className={own.shared} aria-labelledby="shared-systems">
      <div>
        <h2 id="shared-systems">全店舗に共通の接続</h2>
        <Link {...CONNECTIONS}>くわしく見る</Link>
      </div>
      <ul>
        {systems.map((system) => (
          <li key={system.system}>
            <SystemLight system={system} />
          </li>
        ))}
      </ul>
    </section>
  );
}
