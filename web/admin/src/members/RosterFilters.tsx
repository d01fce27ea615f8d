import { Input } from "@mantine/core";
import classes from "./MembersPage.module.css";
import { SHOWN, SHOWN_NAMES, type Shown } from "./state";

interface RosterFiltersProps {
  searchText: string;
  setSearchText: (searchText: string) => void;
  show: Shown;
  choose: (shown: Shown) => void;
  counts: Record<Shown, number>;
  shown: number;
}

export function RosterFilters({ searchText, setSearchText, show, choose, counts, shown }: RosterFiltersProps) {
  return (
    <search className={classes.filters}>
      <div className={classes.chips} role="group" aria-label="表示する会員">
        {SHOWN.map((one) => (
          <button key={one} type="button" aria-pressed={one === show} onClick={() => choose(one)}>
            {SHOWN_NAMES[one]} <span className="figures">{counts[one].toLocaleString("ja-JP")}</span>
          </button>
        ))}
      </div>
      <div className={classes.words}>
        <label htmlFor="members-words">名前で探す</label>
        <Input
          id="members-words"
          type="search"
          size="md"
          maxLength={100}
          autoComplete="off"
          placeholder="氏名・ふりがな・LINEの名前・会員番号"
          value={searchText}
          onChange={(event) => setSearchText(event.currentTarget.value)}
        />
        <p className={classes.count} role="status">
          {shown.toLocaleString("ja-JP")}人を表示
        </p>
      </div>
    </search>
  );
}
