import { useEffect, useRef, useState } from "preact/hooks";
import { sentenceFor } from "../client/request";
import { Icon } from "../page/Icon";
import { useSingleFlight } from "../state/single-flight";
import { suggestName } from "./made-up-names";

const LONGEST_NAME = 50;

interface NameFormProps {
  name: string;
  action: string;
  busyAction: string;
  /** Saves the name; the form shows the sentence of whatever it throws. */
  save: (name: string) => Promise<void>;
}

export function NameForm({ name: before, action, busyAction, save }: NameFormProps) {
  const [name, setName] = useState(before);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [busy, once] = useSingleFlight();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  const submit = () =>
    once(async () => {
      try {
        if (name.trim() === "") throw new EmptyName();
        await save(name.trim());
      } catch (failure) {
        setTrouble(failure instanceof EmptyName ? "名前を入れてください。" : sentenceFor(failure));
        field.current?.focus();
      }
    });

  return (
    <form
      class="name-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label for="display-name">LINE の表示名</label>
      <div class="name-row">
        <input
          id="display-name"
          ref={field}
          value={name}
          maxLength={LONGEST_NAME}
          autocomplete="off"
          autofocus
          aria-invalid={trouble !== null}
          aria-describedby="name-trouble"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="button" class="button" onClick={() => setName(suggestName())}>
          <Icon name="dice" />
          おまかせ
        </button>
      </div>
      <p id="name-trouble" class="field-trouble" role="alert">
        {trouble}
      </p>
      <button type="submit" class="button main wide" disabled={busy}>
        {busy ? busyAction : action}
      </button>
    </form>
  );
}

class EmptyName extends Error {}
