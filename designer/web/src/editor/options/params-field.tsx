/** The parameters of a flow: names and values. */
import { Button, IconButton } from "../../ui/button.tsx";
import { DocsText } from "../../ui/docs-text.tsx";
import { words } from "../../words.ts";
import { TextInput } from "../form/text-input.tsx";
import { textOf } from "../form/values.ts";
import { isMap } from "./set-flow-option.ts";

interface ParamsFieldProps {
  readonly value: unknown;
  readonly isReadOnly: boolean;
  readonly onValue: (value: Readonly<Record<string, unknown>>) => void;
}

export function ParamsField({ value, isReadOnly, onValue }: ParamsFieldProps) {
  const texts = words.flowOptions;
  const entries = isMap(value) ? Object.entries(value) : [];
  const write = (next: readonly (readonly [string, unknown])[]): void => onValue(Object.fromEntries(next));
  const replace = (at: number, entry: readonly [string, unknown]): void =>
    write(entries.map((one, index) => (index === at ? entry : one)));
  const add = (): void => {
    let number = entries.length + 1;
    while (entries.some(([name]) => name === `name${number}`)) number += 1;
    write([...entries, [`name${number}`, ""]]);
  };
  return (
    <fieldset className="form-group">
      <legend>{texts.params}</legend>
      <p className="field-help">
        <DocsText text={texts.paramsHelp} />
      </p>
      {entries.map(([name, held], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row stays the same while its name is typed
        <div key={index} className="form-row">
          <TextInput
            aria-label={texts.paramName(index + 1)}
            readOnly={isReadOnly}
            value={name}
            onText={(text) => {
              if (text !== "" && !entries.some(([one]) => one === text)) replace(index, [text, held]);
            }}
          />
          <TextInput
            aria-label={texts.paramValue(name)}
            readOnly={isReadOnly}
            value={textOf(held)}
            onText={(text) => replace(index, [name, readParam(text)])}
          />
          {!isReadOnly && (
            <IconButton
              icon="trash"
              label={texts.remove(name)}
              onClick={() => write(entries.filter((_, at) => at !== index))}
            />
          )}
        </div>
      ))}
      {!isReadOnly && (
        <Button kind="quiet" icon="plus" onClick={add}>
          {texts.addParam}
        </Button>
      )}
    </fieldset>
  );
}

/** Numbers and truths are written as such, which the runtime fills in the same way. */
function readParam(text: string): unknown {
  if (/^-?(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text === "true" ? true : text === "false" ? false : text;
}
