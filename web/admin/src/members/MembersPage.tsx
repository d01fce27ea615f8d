import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { PageHeading } from "../frame/PageHeading";
import tabs from "../frame/Tabs.module.css";
import { UnlinkedFriends } from "../friends/UnlinkedFriends";
import classes from "./MembersPage.module.css";
import { homeQuery } from "../home/queries";
import { Roster } from "./Roster";

const route = getRouteApi("/inside/members");

export function MembersPage() {
  const { tab, show = "present" } = route.useSearch();
  const waiting = useQuery(homeQuery).data?.unlinked_friends ?? 0;
  return (
    <>
      <PageHeading title="会員名簿">
        {tab === "friends"
          ? "公式アカウントを友だちに追加した方のうち、まだ会員と結び付いていない方です。"
          : "事務局の名簿の写しです。追加や変更は、元のシートを直してから同期してください。"}
      </PageHeading>
      <nav className={tabs.tabs} aria-label="会員名簿の表示">
        <Link to="/members" search={{}} activeOptions={{ exact: true, includeSearch: false }} aria-current={tab ? undefined : "page"} data-on={!tab || undefined}>
          名簿
        </Link>
        <Link to="/members" search={{ tab: "friends" }} aria-current={tab ? "page" : undefined} data-on={tab ? true : undefined}>
          未連携の友だち
          {waiting > 0 && <span className={classes.badge}>{waiting.toLocaleString("ja-JP")}</span>}
        </Link>
      </nav>
      {tab === "friends" ? <UnlinkedFriends /> : <Roster show={show} />}
    </>
  );
}
