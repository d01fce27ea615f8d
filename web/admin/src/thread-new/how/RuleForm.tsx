import { useMemo, useState } from "react";
import { matches, searchKey } from "../../../../api/search";
import { FieldError } from "../../event-new/Field";
import inputs from "../../events-list/Input.module.css";
import { peopleCount } from "../../threads/thread";
import who from "../who/Who.module.css";
import classes from "./How.module.css";
import { countOf, type Decider, DECIDERS, type GroupFacts, RULE_KINDS, RULE_WORDS, type RuleDraft } from "./rule";

interface RuleFormProps {
  rule: RuleDraft;
  change: (rule: RuleDraft) => void;
  people: readonly { invitee_key: string; name: string }[];
  groups: readonly GroupFacts[];
  error: string | undefined;
}

/** Who decides: the office, or the rule, at once or at the deadline. */
export function DeciderCards({ chosen, choose }: { chosen: Decider; choose: (decider: Decider) => void }) {
  return (
    <fieldset className={`${classes.kinds} ${classes.deciders}`}>
      <legend>だれが決めますか</legend>
      {(Object.keys(DECIDERS) as Decider[]).map((decider) => (
        <div key={decider} className={classes.kind} data-chosen={chosen === decider || undefined}>
          <label>
            <input type="radio" name="decider" checked={chosen === decider} onChange={() => choose(decider)} />
            <span>
              {DECIDERS[decider].title}
              <small>{DECIDERS[decider].text}</small>
            </span>
          </label>
        </div>
      ))}
    </fieldset>
  );
}

/** What has to be fulfilled: one of five ways, in words. */
export function RuleForm({ rule, change, people, groups, error }: RuleFormProps) {
  return (
    <div>
      <fieldset className={classes.kinds}>
        <legend>{rule.auto ? "どうなったら決まりますか" : "目安にする条件"}</legend>
        {RULE_KINDS.map((kind) => (
          <div key={kind} className={classes.kind} data-chosen={rule.kind === kind || undefined}>
            <label>
              <input
                type="radio"
                name="rule-kind"
                checked={rule.kind === kind}
                data-invalid={(error !== undefined && rule.kind === kind) || undefined}
                onChange={() => change({ ...rule, kind })}
              />
              <span>
                {RULE_WORDS[kind].title}
                <small>{RULE_WORDS[kind].text}</small>
              </span>
            </label>
            {rule.kind === kind && <Details {...{ rule, change, people, groups, error }} />}
          </div>
        ))}
      </fieldset>
      <p className={classes.error}>
        <FieldError>{error}</FieldError>
      </p>
    </div>
  );
}

function Details({ rule, change, people, groups, error }: RuleFormProps) {
  if (rule.kind === "K_OF_N") {
    return (
      <div className={classes.details}>
        <Count id="rule-count" label="決まる人数" unit={`人以上（声をかける方 ${peopleCount(people.length)}）`} value={countOf(rule, people.length)} least={1} wrong={error !== undefined} change={(count) => change({ ...rule, count })} />
      </div>
    );
  }
  if (rule.kind === "REQUIRED_PLUS_K") {
    return (
      <div className={classes.details}>
        <Required people={people} chosen={rule.required} choose={(required) => change({ ...rule, required })} />
        <Count id="rule-others" label="ほかの方の人数" unit="人以上" value={rule.others} least={0} wrong={error !== undefined} change={(others) => change({ ...rule, others })} />
      </div>
    );
  }
  if (rule.kind === "GROUP_ANY") return <Groups {...{ rule, change, groups, error }} />;
  return null;
}

interface CountProps {
  id: string;
  label: string;
  unit: string;
  value: number;
  least: number;
  wrong: boolean;
  change: (value: number) => void;
}

function Count({ id, label, unit, value, least, wrong, change }: CountProps) {
  return (
    <div className={classes.count}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={inputs.input}
        type="number"
        inputMode="numeric"
        min={least}
        max={500}
        aria-invalid={wrong}
        value={Number.isNaN(value) ? "" : value}
        onChange={(event) => change(event.currentTarget.valueAsNumber)}
      />
      <span>{unit}</span>
    </div>
  );
}

interface RequiredProps {
  people: RuleFormProps["people"];
  chosen: string[];
  choose: (keys: string[]) => void;
}

const MANY = 12;

function Required({ people, chosen, choose }: RequiredProps) {
  const [text, setText] = useState("");
  const wanted = searchKey(text);
  const found = useMemo(() => people.filter(({ name, invitee_key }) => chosen.includes(invitee_key) || matches(wanted, name)), [people, wanted, chosen]);
  return (
    <fieldset className={classes.required}>
      <legend>必ず来てほしい方（{peopleCount(chosen.length)}を選択中）</legend>
      {people.length > MANY && (
        <input
          className={inputs.input}
          type="search"
          placeholder="名前で探す"
          aria-label="必ず来てほしい方を名前で探す"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      )}
      <ul className={who.list}>
        {found.slice(0, 100).map(({ invitee_key, name }) => (
          <li key={invitee_key}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(invitee_key)}
                onChange={(event) => choose(event.currentTarget.checked ? [...chosen, invitee_key] : chosen.filter((key) => key !== invitee_key))}
              />
              <span>{name}</span>
            </label>
          </li>
        ))}
        {found.length === 0 && <li className={classes.nobody}>あてはまる方はいません。</li>}
      </ul>
    </fieldset>
  );
}

function Groups({ rule, change, groups, error }: Pick<RuleFormProps, "rule" | "change" | "groups" | "error">) {
  if (groups.length === 0) return <p className={classes.details}>前の画面でグループを選ぶと、ここで使えます。</p>;
  const leastOf = (id: number) => rule.groups.find(({ audienceId }) => audienceId === id)?.least;
  const set = (id: number, least: number | null) => {
    const others = rule.groups.filter(({ audienceId }) => audienceId !== id);
    change({ ...rule, groups: least === null ? others : [...others, { audienceId: id, least }] });
  };
  return (
    <div className={classes.details}>
      {groups.map(({ id, name, keys }) => {
        const least = leastOf(id);
        return (
          <div key={id} className={classes.count}>
            <label className={classes.group}>
              <input type="checkbox" checked={least !== undefined} onChange={(event) => set(id, event.currentTarget.checked ? 1 : null)} />
              {name}（{peopleCount(keys.length)}）
            </label>
            {least !== undefined && (
              <>
                <input
                  className={inputs.input}
                  type="number"
                  inputMode="numeric"
                  min={1}
                  max={Math.max(1, keys.length)}
                  aria-label={`${name}の人数`}
                  aria-invalid={error !== undefined}
                  value={Number.isNaN(least) ? "" : least}
                  onChange={(event) => set(id, event.currentTarget.valueAsNumber)}
                />
                <span>人以上</span>
              </>
            )}
          </div>
        );
      })}
    </div>
  );
}
