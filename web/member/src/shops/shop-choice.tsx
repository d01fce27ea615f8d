import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { OfficePhone } from "../../../kit/ask-office";
import { useLoad } from "../../../kit/load";
import { Link, navigate } from "../../../kit/router";
import { Screen } from "../../../kit/screen";
import { BackToList } from "../back-to-list";
import { Loading } from "../screens/loading";
import { MemberError } from "../screens/member-error";
import { useSession } from "../session";

/** Which shop: a question only where there are several. */
export function ShopChoice(): JSX.Element {
  const { client, adapter } = useSession();
  const [state, reload] = useLoad(() => client.get("/api/liff/shops"));
  const shops = state.kind === "ready" ? state.value.shops : [];
  const only = shops.length === 1 ? shops[0] : undefined;
  useEffect(() => {
    if (only) navigate(`/shops/${encodeURIComponent(only.code)}`, { replace: true });
  }, [only]);

  if (state.kind === "failed") {
    return (
      <MemberError error={state.error} adapter={adapter} retry={reload} belowList>
        <p>
          <OfficePhone>お急ぎのときは、お電話ください。</OfficePhone>
        </p>
      </MemberError>
    );
  }
  if (state.kind === "loading" || only) return <Loading />;
  return (
    <Screen title="本人確認・お店との連携" back={<BackToList />}>
      {shops.length > 0 ? (
        <p>ご利用の店舗を選んでください。</p>
      ) : (
        <p class="say">
          いま、連携できる店舗はありません。
          <OfficePhone />
        </p>
      )}
      <ul class="rows" aria-label="店舗">
        {shops.map(({ code, name, linked }) => (
          <li key={code}>
            <Link to={`/shops/${encodeURIComponent(code)}`} class="row">
              <span class="row-words">
                <span class="row-title">{name}</span>
              </span>
              <span class={`badge badge-${linked ? "yes" : "waiting"}`}>{linked ? "連携済み" : "未連携"}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
