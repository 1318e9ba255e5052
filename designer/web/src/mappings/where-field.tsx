/** Where a new mapping is made. */

import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import type { Home } from "./base.ts";

const { mappings: texts } = words;
const homes: readonly Home[] = ["runtime", "workspace"];

export function WhereField({ value, onValue }: { readonly value: Home; readonly onValue: (home: Home) => void }) {
  return (
    <Field label={texts.where} help={texts.whereHelp}>
      {(input) => (
        <select
          {...input}
          className="input"
          value={value}
          onChange={(event) => onValue(homes.find((home) => home === event.target.value) ?? "runtime")}
        >
          {homes.map((home) => (
            <option key={home} value={home}>
              {texts.wheres[home]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
