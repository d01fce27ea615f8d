import { Button } from "@mantine/core";
import lists from "../frame/Lists.module.css";
import classes from "./MembersPage.module.css";
import type { Member } from "./queries";
import { found, SHOWN, SHOWN_NAMES, type Shown } from "./state";

interface NobodyFoundProps {
  members: readonly Member[];
  show: Shown;
  searchText: string;
  choose: (shown: Shown) => void;
  clear: () => void;
}

/** Whoever is looked for may stand in another list, most often among those who left. */
export function NobodyFound({ members, show, searchText, choose, clear }: NobodyFoundProps) {
  const searching = searchText.trim() !== "";
  const elsewhere = searching ? SHOWN.find((one) => one !== show && found(members, one, searchText).length > 0) : undefined;
  return (
    <div className={lists.empty}>
      <h2>{searching ? `「${SHOWN_NAMES[show]}」に、あてはまる会員はいません` : `「${SHOWN_NAMES[show]}」の会員はいません`}</h2>
      <div className={classes.emptyButtons}>
        {elsewhere && (
          <Button variant="default" size="md" onClick={() => choose(elsewhere)}>
            「{SHOWN_NAMES[elsewhere]}」に{found(members, elsewhere, searchText).length}人見つかりました
          </Button>
        )}
        {searching && (
          <Button variant="subtle" size="md" onClick={clear}>
            検索を消す
          </Button>
        )}
        {!searching && show !== "present" && (
          <Button variant="default" size="md" onClick={() => choose("present")}>
            在籍の会員を見る
          </Button>
        )}
      </div>
    </div>
  );
}
