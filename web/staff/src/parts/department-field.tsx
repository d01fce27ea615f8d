import type { JSX } from "preact";
import { useLoad } from "../../../kit/load";
import type { StaffApi } from "../api/staff-api";

interface DepartmentFieldProps {
  api: StaffApi;
  value: string;
  /** The name of the current department, which the list may no longer have. */
  valueName?: string;
  onChange: (value: string) => void;
  trouble?: string | undefined;
}

export function DepartmentField({ api, value, valueName, onChange, trouble = "" }: DepartmentFieldProps): JSX.Element {
  const [state, reload] = useLoad(api.departments);
  const listed = state.kind === "ready" ? state.value : [];
  const unlisted = value !== "" && !listed.some(({ id }) => id === value);
  return (
    <div class="entry">
      <label for="department">部署</label>
      <select
        id="department"
        class="field"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-describedby="department-trouble"
        aria-invalid={trouble !== ""}
      >
        {value === "" && <option value="">{state.kind === "loading" ? "読み込んでいます…" : "選んでください"}</option>}
        {unlisted && <option value={value}>{valueName ?? value}</option>}
        {listed.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <div id="department-trouble" role="alert">
        {trouble && <p class="trouble">{trouble}</p>}
      </div>
      {state.kind === "failed" && (
        <p class="trouble">
          部署の一覧を読み込めませんでした。
          <button type="button" class="button button-small button-quiet" onClick={reload}>
            もう一度読み込む
          </button>
        </p>
      )}
    </div>
  );
}
