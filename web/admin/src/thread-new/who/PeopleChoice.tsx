import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { matches, searchKey } from "../../../../api/search";
import { Field, FieldError } from "../../event-new/Field";
import { audiencesQuery, membersQuery } from "../../event-new/queries";
import audience from "../../event-new/steps/Audience.module.css";
import inputs from "../../events-list/Input.module.css";
import { Failure } from "../../frame/Failure";
import { ListSkeleton } from "../../frame/ListSkeleton";
import { peopleCount } from "../../threads/thread";
import { parseAddresses } from "./addresses";
import classes from "./Who.module.css";

export interface PeopleFields {
  audienceIds: number[];
  memberIds: number[];
  pasted: string;
}

interface PeopleChoiceProps {
  chosen: PeopleFields;
  change: (fields: Partial<PeopleFields>) => void;
  errors: { people?: string | undefined; pasted?: string | undefined };
}

/** Who is asked: groups, single members, and addresses. */
export function PeopleChoice({ chosen, change, errors }: PeopleChoiceProps) {
  return (
    <div className={classes.parts}>
      <p className={classes.error}>
        <FieldError>{errors.people}</FieldError>
      </p>
      <Groups ids={chosen.audienceIds} change={(audienceIds) => change({ audienceIds })} invalid={errors.people !== undefined} />
      <Members ids={chosen.memberIds} change={(memberIds) => change({ memberIds })} />
      <Addresses text={chosen.pasted} change={(pasted) => change({ pasted })} error={errors.pasted} />
    </div>
  );
}

function Groups({ ids, change, invalid }: { ids: number[]; change: (ids: number[]) => void; invalid: boolean }) {
  const { data, isPending, isError, error, refetch } = useQuery(audiencesQuery);
  return (
    <section aria-labelledby="who-groups">
      <h3 id="who-groups">グループ</h3>
      {isPending && <ListSkeleton />}
      {isError && <Failure error={error} retry={() => void refetch()} />}
      {data?.items.length === 0 && <p className={classes.none}>グループはまだありません。下で、会員を1人ずつ選ぶか、メールアドレスを入れてください。</p>}
      {data && data.items.length > 0 && (
        <fieldset className={`${audience.choices} ${classes.groups}`}>
          <legend className={audience.legend}>グループ</legend>
          {data.items.map(({ id, name, member_count }) => (
            <label key={id} className={audience.choice} data-chosen={ids.includes(id) || undefined}>
              <input
                type="checkbox"
                checked={ids.includes(id)}
                data-invalid={invalid || undefined}
                onChange={(event) => change(event.currentTarget.checked ? [...ids, id] : ids.filter((other) => other !== id))}
              />
              <span>
                {name}
                <small>{peopleCount(member_count)}</small>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </section>
  );
}

const MOST_FOUND = 30;

function Members({ ids, change }: { ids: number[]; change: (ids: number[]) => void }) {
  const { data, isError, error, refetch } = useQuery(membersQuery);
  const [text, setText] = useState("");
  const wanted = searchKey(useDeferredValue(text));
  const members = useMemo(() => data?.items.filter((member) => !member.withdrawn || ids.includes(member.id)) ?? [], [data, ids]);
  const found = useMemo(() => (wanted === "" ? [] : members.filter((member) => matches(wanted, member.name, member.kana))), [members, wanted]);
  const chosen = members.filter(({ id }) => ids.includes(id));
  const toggle = (id: number, on: boolean) => change(on ? [...ids, id] : ids.filter((other) => other !== id));
  return (
    <section aria-labelledby="who-members">
      <h3 id="who-members">会員を1人ずつ</h3>
      {isError && <Failure error={error} retry={() => void refetch()} />}
      <input
        className={inputs.input}
        type="search"
        placeholder="氏名・ふりがなで探す"
        aria-label="会員を名前で探す"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        // A search field inside a form must not lead to the next step.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <p className={classes.found} role="status">
        {wanted !== "" && (found.length === 0 ? `「${text.trim()}」という名前の会員はいません。` : `${peopleCount(found.length)}が見つかりました${found.length > MOST_FOUND ? `（はじめの${MOST_FOUND}人を出しています）` : ""}`)}
      </p>
      {found.length > 0 && (
        <ul className={classes.list} aria-label="見つかった会員">
          {found.slice(0, MOST_FOUND).map(({ id, name, reachable }) => (
            <li key={id}>
              <label>
                <input type="checkbox" checked={ids.includes(id)} onChange={(event) => toggle(id, event.currentTarget.checked)} />
                <span>
                  {name}
                  {!reachable && <small>LINEでは届きません</small>}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {chosen.length > 0 && (
        <ul className={classes.chips} aria-label="選んだ会員">
          {chosen.map(({ id, name }) => (
            <li key={id}>
              {name}
              <button type="button" aria-label={`${name}さんを外す`} onClick={() => toggle(id, false)}>
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Addresses({ text, change, error }: { text: string; change: (text: string) => void; error: string | undefined }) {
  const { people, wrong, twice } = useMemo(() => parseAddresses(text), [text]);
  return (
    <section aria-labelledby="who-addresses">
      <h3 id="who-addresses">メールアドレスで</h3>
      <Field
        id="pasted"
        label="名前とアドレス"
        error={error}
        hint="メールの宛先をそのまま貼り付けられます。1行に1人か、コンマで区切ってください。"
      >
        {(aria) => (
          <textarea
            {...aria}
            rows={4}
            placeholder={"山田 太郎 <yamada@example.jp>\nsuzuki@example.jp"}
            spellCheck={false}
            value={text}
            onChange={(event) => change(event.currentTarget.value)}
          />
        )}
      </Field>
      <div role="status" className={classes.read}>
        {people.length > 0 && (
          <p>
            {peopleCount(people.length)}を読み取りました：{people.slice(0, 8).map(({ name }) => name).join("、")}
            {people.length > 8 && ` ほか${peopleCount(people.length - 8)}`}
            {twice > 0 && `（同じアドレス${twice}個を省きました）`}
          </p>
        )}
        {wrong.length > 0 && (
          <ul className={classes.wrong}>
            {wrong.slice(0, 10).map(({ text: entry, reason }, index) => (
              <li key={index}>
                <code>{entry.slice(0, 80)}</code> … {reason}
              </li>
            ))}
            {wrong.length > 10 && <li>ほか{wrong.length - 10}個</li>}
          </ul>
        )}
      </div>
    </section>
  );
}
