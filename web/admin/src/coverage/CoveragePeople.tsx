import { NativeSelect } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import classes from "../booking/Booking.module.css";
import { ExportMenu } from "../booking/ExportMenu";
import { shortDayText } from "../booking/days";
import type { Coverage } from "../booking/shapes";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { More } from "../frame/More";
import table from "../frame/Table.module.css";
import own from "./Coverage.module.css";
import { type CoveragePeoplePerson, coveragePeopleQuery } from "./queries";
import { COVERAGE_NAMES, COVERAGE_STATES, type CoverageSearch } from "./search";

/** Whether a message by LINE would be seen. */
function lineText({ lineLinked, lineReachable }: CoveragePeoplePerson): string {
  if (!lineLinked) return "未連携";
  return lineReachable ? "届く" : "友だち未追加・ブロック";
}

interface CoveragePeopleProps {
  search: CoverageSearch & { type: number; year: number };
  find: (search: CoverageSearch) => void;
  departments: Coverage["departments"];
}

export function CoveragePeople({ search, find, departments }: CoveragePeopleProps) {
  const { type, year, state = "notBooked", department } = search;
  const wanted = { reservationTypeId: type, periodKey: `FY${year}`, state, ...(department === undefined ? {} : { departmentId: department }) };
  const query = useInfiniteQuery(coveragePeopleQuery(wanted));
  const people = query.data?.pages.flatMap((page) => page.items) ?? [];
  const inDepartment = (id: string) => {
    const { department: _before, ...others } = search;
    find(id === "" ? others : { ...others, department: id });
  };
  return (
    <section aria-labelledby="coverage-people">
      <div className={classes.cardHead}>
        <h2 id="coverage-people">「{COVERAGE_NAMES[state]}」の方</h2>
        <ExportMenu path="/api/admin/coverage/export" query={wanted} name={`予約状況-${year}-${COVERAGE_NAMES[state]}`} />
      </div>
      <div className={classes.filters}>
        <div className={own.states} role="group" aria-label="表示する方">
          {COVERAGE_STATES.map((one) => (
            <button key={one} type="button" aria-pressed={one === state} onClick={() => find({ ...search, state: one })}>
              {COVERAGE_NAMES[one]}
            </button>
          ))}
        </div>
        <NativeSelect label="部署" size="md" value={department ?? ""} onChange={(event) => inDepartment(event.currentTarget.value)}>
          <option value="">すべての部署</option>
          {departments.map(({ departmentId, name }) => (
            <option key={departmentId} value={departmentId}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </div>
      {query.isPending && <ListSkeleton />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && people.length === 0 && (
        <Empty title={`「${COVERAGE_NAMES[state]}」の方はいません`}>{state === "notBooked" ? "全員が予約しています。" : "部署や年度を変えてみてください。"}</Empty>
      )}
      {people.length > 0 && (
        <div className={table.panel}>
          <table className={table.table}>
            <caption className={classes.hidden}>「{COVERAGE_NAMES[state]}」の方</caption>
            <thead>
              <tr>
                <th scope="col">職員番号</th>
                <th scope="col">氏名</th>
                <th scope="col">部署</th>
                <th scope="col">LINE</th>
                <th scope="col">予約の日</th>
              </tr>
            </thead>
            <tbody>
              {people.map((person) => (
                <tr key={person.staffUid}>
                  <td data-label="職員番号" className={classes.number}>
                    {person.staffId}
                  </td>
                  <td className={classes.name}>
                    <Link to="/staffs/$staffUid" params={{ staffUid: person.staffUid }}>
                      {person.fullName}
                    </Link>
                    {person.fullNameKana && <small>{person.fullNameKana}</small>}
                  </td>
                  <td data-label="部署">{person.departmentName}</td>
                  <td data-label="LINE" className={own.words}>{lineText(person)}</td>
                  <td data-label="予約の日" className={classes.number}>
                    {person.serviceDateLocal ? shortDayText(person.serviceDateLocal) : <span className={classes.soft}>なし</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <More query={query} />
    </section>
  );
}
