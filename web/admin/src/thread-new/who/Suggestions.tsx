import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { answerOf, api } from "../../api/client";
import { messageOf } from "../../event-detail/actions/field-errors";
import { Notice } from "../../frame/Notice";
import type { Suggested } from "../../threads/thread";
import { addressLine, parseAddresses } from "./addresses";
import type { PeopleFields } from "./PeopleChoice";
import classes from "./Who.module.css";

interface SuggestionsProps {
  title: string;
  description: string;
  chosen: PeopleFields;
  change: (fields: Partial<PeopleFields>) => void;
}

/** People whom a model suggests, from those whom the organisation knows. Nobody is chosen unless somebody ticks the name. */
export function Suggestions({ title, description, chosen, change }: SuggestionsProps) {
  const asking = useMutation({
    mutationFn: () => answerOf(api.POST("/api/threads/suggestions", { body: { title: title.trim(), ...(description.trim() === "" ? {} : { description: description.trim() }) } as never })),
  });
  const found = asking.data;
  return (
    <section className={classes.suggestions} aria-labelledby="who-suggestions">
      <h3 id="who-suggestions">AIに候補を聞く</h3>
      <p>題名と説明から、名簿と過去にやり取りした方の中の候補を挙げます。選ぶのは、ご自身です。</p>
      <div>
        <Button variant="default" size="md" loading={asking.isPending} onClick={() => asking.mutate()}>
          {found ? "もう一度聞く" : "AIに候補を聞く"}
        </Button>
      </div>
      <div role="status">
        {asking.isPending && <p>候補を考えています。15秒ほどかかることがあります。</p>}
        {found && found.candidates.length === 0 && <Notice tone="info">{found.unavailable ?? "候補は見つかりませんでした。"}</Notice>}
        {found && found.candidates.length > 0 && <p>{found.candidates.length}人の候補があります。</p>}
      </div>
      {asking.isError && (
        <Notice tone="danger" alert>
          {messageOf(asking.error)}
        </Notice>
      )}
      {found && found.candidates.length > 0 && <Candidates found={found.candidates} chosen={chosen} change={change} />}
    </section>
  );
}

function Candidates({ found, chosen, change }: { found: Suggested[]; chosen: PeopleFields; change: SuggestionsProps["change"] }) {
  const addresses = new Set(parseAddresses(chosen.pasted).people.map(({ email }) => email.toLowerCase()));
  const isChosen = ({ member_id, email }: Suggested) => (member_id === null ? addresses.has(email.toLowerCase()) : chosen.memberIds.includes(member_id));
  const toggle = (person: Suggested, on: boolean) => {
    if (person.member_id !== null) {
      const id = person.member_id;
      change({ memberIds: on ? [...chosen.memberIds, id] : chosen.memberIds.filter((other) => other !== id) });
      return;
    }
    const line = addressLine(person);
    const lines = chosen.pasted.split("\n").filter((other) => other.trim() !== "");
    change({ pasted: (on ? [...lines, line] : lines.filter((other) => other !== line)).join("\n") });
  };
  return (
    <ul className={classes.list} aria-label="AIの候補">
      {found.map((person) => (
        <li key={person.invitee_key}>
          <label>
            <input type="checkbox" checked={isChosen(person)} onChange={(event) => toggle(person, event.currentTarget.checked)} />
            <span>
              {person.name}
              <small>{person.reason}</small>
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}
