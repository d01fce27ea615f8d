import { Input, Skeleton } from "@mantine/core";
import { useDeferredValue, useMemo, useState } from "react";
import { searchKey } from "../../../api/search";
import classes from "../members/Dialogs.module.css";
import type { Member } from "../members/queries";
import { isFound } from "../members/state";

const MOST_ROWS = 50;

interface MemberChoiceProps {
  members: Member[] | undefined;
  suggested: number | null;
  chosen: number | null;
  choose: (memberId: number) => void;
  missing: boolean;
}

/** Who is linked already is shown and cannot be chosen: otherwise people would look for a name that seems to be missing. */
export function MemberChoice({ members, suggested, chosen, choose, missing }: MemberChoiceProps) {
  const [searchText, setSearchText] = useState("");
  const wanted = searchKey(useDeferredValue(searchText));
  const rows = useMemo(() => {
    const present = (members ?? []).filter((member) => !member.withdrawn && isFound(member, wanted));
    const rank = (member: Member) => (member.id === suggested ? 0 : member.line_user_id_present ? 2 : 1);
    return present.sort((one, other) => rank(one) - rank(other));
  }, [members, wanted, suggested]);
  return (
    <fieldset className={classes.choices}>
      <legend>連携する会員</legend>
      <Input
        type="search"
        size="md"
        aria-label="会員を探す"
        placeholder="氏名・ふりがな・会員番号で探す"
        autoComplete="off"
        data-autofocus
        value={searchText}
        onChange={(event) => setSearchText(event.currentTarget.value)}
      />
      {members === undefined ? (
        <Skeleton className={classes.people ?? ""} />
      ) : (
        // A list that scrolls has to be reachable with the keyboard even when nothing in it can be chosen.
        <ul className={classes.people} tabIndex={rows.some((member) => !member.line_user_id_present) ? undefined : 0} aria-label="会員">
          {rows.slice(0, MOST_ROWS).map((member) => (
            <li key={member.id}>
              <label>
                <input
                  type="radio"
                  name="member"
                  checked={member.id === chosen}
                  disabled={member.line_user_id_present}
                  onChange={() => choose(member.id)}
                />
                <span>{member.name}</span>
                <small>{member.line_user_id_present ? "連携済み" : `会員番号 ${member.id}`}</small>
              </label>
            </li>
          ))}
          {rows.length > MOST_ROWS && <li className={classes.note}>ほか{rows.length - MOST_ROWS}人。名前を入れて絞り込んでください。</li>}
          {rows.length === 0 && <li className={classes.note}>あてはまる会員はいません。</li>}
        </ul>
      )}
      {missing && (
        <p className={classes.error} role="alert">
          会員を選んでください。
        </p>
      )}
    </fieldset>
  );
}
