import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useCanGoBack, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../../api/errors";
import booking from "../booking/Booking.module.css";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { ApartCard } from "./ApartCard";
import { CompareDialog } from "./CompareDialog";
import { LinksCard } from "./LinksCard";
import { PathLink } from "./PathLink";
import classes from "./Person.module.css";
import { type PersonPageData, personQuery, type RecordKey, type Suggestion } from "./queries";
import { PersonalDataCard } from "./PersonalDataCard";
import { RecordCard } from "./RecordCard";
import { SuggestionsCard } from "./SuggestionsCard";
import { KIND_NAMES, nameOf } from "./words";

const route = getRouteApi("/inside/people/$kind/$id");

export function PersonPage() {
  const { kind, id } = route.useParams();
  const { data, error, refetch } = useQuery(personQuery({ kind: kind as RecordKey["kind"], id }));
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <>
      <Back />
      {!data && <PageHeading title="人を調べる" />}
      {missing && <Empty title="この方の記録は見つかりません">消去されたか、アドレスがまちがっているようです。名前から探してください。</Empty>}
      {error && !missing && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {/* Another person is another page: nothing that was opened or typed for the one before stays. */}
      {data && <Person key={`${kind}:${id}`} person={data} />}
    </>
  );
}

/** Back to what was looked for, which stands in the address of that page. */
function Back() {
  const router = useRouter();
  if (!useCanGoBack()) {
    return (
      <PathLink path="/people" className={booking.back}>
        ← 人を探す
      </PathLink>
    );
  }
  return (
    <button data-screen-only type="button" className={`${classes.plain} ${booking.back}`} onClick={() => router.history.back()}>
      ← 前の画面へ
    </button>
  );
}

function Person({ person }: { person: PersonPageData }) {
  const [open, setOpen] = useState<Suggestion | null>(null);
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      <PageHeading title={nameOf(person)}>
        {`${[...new Set(person.records.map(({ kind }) => KIND_NAMES[kind]))].join("・")}の記録があります。このページを開いたことは、操作履歴に残ります。`}
      </PageHeading>
      {done && (
        <Notice tone="success" className={booking.notice} alert>
          {done}
        </Notice>
      )}
      <div className={classes.columns}>
        <div>
          {person.records.map((record) => (
            <RecordCard key={`${record.kind}:${record.id}`} record={record} />
          ))}
        </div>
        <div>
          <LinksCard person={person} done={setDone} />
          <SuggestionsCard suggestions={person.suggestions} open={setOpen} />
          <PersonalDataCard person={person} done={setDone} />
          {person.decided_apart.length > 0 && <ApartCard apart={person.decided_apart} done={setDone} />}
        </div>
      </div>
      <CompareDialog suggestion={open} records={person.records} close={() => setOpen(null)} done={setDone} />
    </>
  );
}
