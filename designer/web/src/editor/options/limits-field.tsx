/** The limits of a flow: those that it sets, of those that the operator lets it set. */
import { useMemo } from "react";
import { runtimeLimits } from "../../api/cache.ts";
import type { Loaded } from "../../api/polled.ts";
import type { Schemas } from "../../api/runtime.ts";
import { target } from "../../api/target.ts";
import { IconButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { textOf } from "../form/values.ts";
import { isMap } from "./set-flow-option.ts";

interface LimitsFieldProps {
  readonly value: unknown;
  readonly isReadOnly: boolean;
  readonly onValue: (value: Readonly<Record<string, unknown>>) => void;
}

export function LimitsField({ value, isReadOnly, onValue }: LimitsFieldProps) {
  const texts = words.flowOptions;
  const known = useLimits();
  const set = isMap(value) ? value : {};
  const free = known.filter(({ name, ceiling }) => ceiling !== null && !(name in set));
  return (
    <fieldset className="form-group">
      <legend>{texts.limits}</legend>
      <p className="field-help">{known.length === 0 ? texts.noLimits : texts.limitsHelp}</p>
      {Object.entries(set).map(([name, held]) => {
        const limit = known.find((one) => one.name === name);
        return (
          <div key={name} className="form-row">
            <Field label={name} help={limit && texts.limitHelp(limit.docs, limit.value, limit.ceiling ?? limit.value)}>
              {(input) => (
                <input
                  {...input}
                  className="input"
                  readOnly={isReadOnly}
                  value={textOf(held)}
                  onChange={(event) => onValue({ ...set, [name]: readLimit(event.target.value) })}
                />
              )}
            </Field>
            {!isReadOnly && (
              <IconButton
                icon="trash"
                label={texts.remove(name)}
                onClick={() => onValue(Object.fromEntries(Object.entries(set).filter(([one]) => one !== name)))}
              />
            )}
          </div>
        );
      })}
      {!isReadOnly && free.length > 0 && (
        <select
          className="input"
          aria-label={texts.addLimit}
          value=""
          onChange={({ target: { value: name } }) => {
            const limit = known.find((one) => one.name === name);
            if (limit !== undefined) onValue({ ...set, [name]: limit.value });
          }}
        >
          <option value="">{texts.addLimit}</option>
          {free.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
}

function readLimit(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

const nothing: Loaded<readonly Schemas["Limit"][]> = { value: undefined, error: undefined, at: 0 };
const none = { get: () => nothing, subscribe: () => () => {} };

function useLimits(): readonly Schemas["Limit"][] {
  const at = useStore(target)?.name;
  const source = useMemo(() => (at === undefined ? none : runtimeLimits(at)), [at]);
  return useStore<Loaded<readonly Schemas["Limit"][]>>(source).value ?? noLimits;
}

const noLimits: readonly Schemas["Limit"][] = [];
