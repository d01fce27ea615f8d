import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { actorName } from "../audit/names";
import { NoticeTabs } from "../booking/SectionTabs";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { type TextDetail, textQuery, textsQuery } from "./queries";
import { TextEditor } from "./TextEditor";
import classes from "./Texts.module.css";

const route = getRouteApi("/inside/notifications/templates");

export function TextsPage() {
  const { key = "CONFIRMATION" } = route.useSearch();
  const texts = useQuery(textsQuery);
  const text = useQuery(textQuery(key));
  const error = texts.error ?? text.error;
  const ready = texts.data !== undefined && text.data !== undefined;
  return (
    <>
      <PageHeading title="通知の文面">LINEで届く文章を変えられます。まちがいがあるときは保存できないので、送るときに困ることはありません。</PageHeading>
      <NoticeTabs />
      {error && !ready && <Failure error={error} retry={() => void Promise.all([texts.refetch(), text.refetch()])} />}
      {!error && !ready && <ListSkeleton />}
      {texts.data && (
        <nav className={classes.keys} aria-label="通知の種類">
          {texts.data.items.map((item) => (
            <Link key={item.key} to="/notifications/templates" search={{ key: item.key }} replace aria-current={item.key === key ? "page" : undefined}>
              {item.label}
              {!item.is_built_in && <small>変更済み</small>}
            </Link>
          ))}
        </nav>
      )}
      {texts.data && text.data && (
        <>
          <p className={classes.changed}>{changedText(text.data)}</p>
          <TextEditor key={key} detail={text.data} placeholders={texts.data.placeholders} />
        </>
      )}
    </>
  );
}

function changedText({ is_built_in, changed_at, changed_by }: TextDetail): string {
  if (changed_at === null || changed_by === null) return "はじめの文面のままです。";
  return `${changed_at} に${actorName(changed_by)}さんが${is_built_in ? "はじめの文面に戻しました" : "変更しました"}。`;
}
