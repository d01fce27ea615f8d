import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../../../api/errors";
import { useLoad } from "../../../kit/load";
import type { Params } from "../../../kit/router";
import { Screen } from "../../../kit/screen";
import { BackToList } from "../back-to-list";
import { Loading } from "../screens/loading";
import { useSession } from "../session";
import { Contacts } from "./contacts";
import { Linked } from "./linked";
import { Proving } from "./proving";
import { ShopError } from "./shop-error";
import type { ConfirmedLink, LinkedShop } from "./shapes";

const NO_SUCH_SHOP = new ApiError(404, "SHOP_NOT_FOUND", "", [], null, null);

export function ShopScreen({ params }: { params: Params }): JSX.Element {
  const { adapter } = useSession();
  const code = params["code"] ?? "";
  if (code === "" || code.length > 100) {
    return <ShopError error={NO_SUCH_SHOP} adapter={adapter} retry={() => {}} />;
  }
  return <LoadedShop key={code} code={code} />;
}

function LoadedShop({ code }: { code: string }): JSX.Element {
  const { client, adapter } = useSession();
  const [state, reload] = useLoad(() => client.get("/api/liff/shops/{store_code}", { store_code: code }));
  // What a code or the button has just brought is newer than what was loaded.
  const [newer, setNewer] = useState<LinkedShop | ConfirmedLink | null>(null);
  const [proving, setProving] = useState(false);
  if (state.kind === "loading") return <Loading />;
  if (state.kind === "failed") {
    return <ShopError error={state.error} adapter={adapter} retry={reload} belowList />;
  }
  const found = newer ?? state.value;
  const mayProve = proving || found.state === "none" || found.state === "broken";
  return (
    <Screen title={found.shop.name} back={<BackToList />}>
      {mayProve ? (
        <Proving
          found={found}
          done={(link) => {
            setNewer(link);
            setProving(false);
          }}
        />
      ) : (
        <Linked found={found} show={setNewer} proveAgain={() => setProving(true)} />
      )}
      <Contacts shop={found.shop} />
    </Screen>
  );
}
