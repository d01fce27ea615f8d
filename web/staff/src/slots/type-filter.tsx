import type { JSX } from "preact";

interface TypeFilterProps {
  types: readonly { id: number; name: string }[];
  chosen: number | null;
  onChoose: (id: number | null) => void;
}

export function TypeFilter({ types, chosen, onChoose }: TypeFilterProps): JSX.Element {
  return (
    <div class="entry type-filter">
      <label for="type">予約の種類</label>
      <select id="type" class="field" value={String(chosen ?? "")} onChange={(event) => onChoose(Number(event.currentTarget.value) || null)}>
        <option value="">すべて</option>
        {types.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
