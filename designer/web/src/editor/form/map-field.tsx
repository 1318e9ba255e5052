/** An option that is a map of names and values: a row for each. */
import { removeOption, setOption } from "../../model/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { DocsText } from "../../ui/docs-text.tsx";
import { words } from "../../words.ts";
import { CompletedInput } from "./completed-input.tsx";
import type { OptionFieldProps } from "./form-context.ts";
import { TextInput } from "./text-input.tsx";
import { isMap, plainText, textOf } from "./values.ts";

export function MapField({ field, value, path, context }: OptionFieldProps) {
  const entries = isMap(value) ? Object.entries(value) : [];
  const { title, docs } = field;
  const at = path.join("/");
  const problem = context.problemOf(entries.map(([, held]) => textOf(held)).join("\n"));
  const setName = (before: string, after: string, held: unknown): void => {
    if (after === before || after === "" || entries.some(([name]) => name === after)) return;
    // The new row goes to the end: YAML keeps the order of its keys.
    context.change(title, at, (flow) => setOption(flow, [...path], renamed(entries, before, after, held)));
  };
  const add = (): void => {
    let number = entries.length + 1;
    while (entries.some(([name]) => name === `name${number}`)) number += 1;
    context.change(title, at, (flow) => setOption(flow, [...path, `name${number}`], ""));
  };
  return (
    <fieldset className="form-group">
      <legend>{title}</legend>
      {docs !== "" && (
        <p className="field-help">
          <DocsText text={docs} />
        </p>
      )}
      {entries.map(([name, held], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row stays the same while its name is typed
        <div key={index} className="form-row">
          <TextInput
            aria-label={words.form.nameOf(index + 1)}
            readOnly={!context.isEditable}
            value={name}
            onText={(text) => setName(name, text, held)}
          />
          {typeof held === "object" && held !== null ? (
            <output className="form-raw">{words.form.onlyInYaml(plainText(held))}</output>
          ) : (
            <CompletedInput
              aria-label={words.form.valueOf(name)}
              context={context}
              name={name}
              isOneLine={!textOf(held).includes("\n")}
              value={textOf(held)}
              onText={(text) =>
                context.change(title, `${at}/${name}`, (flow) => setOption(flow, [...path, name], text))
              }
            />
          )}
          {context.isEditable && (
            <IconButton
              icon="trash"
              label={words.form.remove(name)}
              onClick={() =>
                context.change(title, at, (flow) => removeOption(flow, entries.length === 1 ? path : [...path, name]))
              }
            />
          )}
        </div>
      ))}
      {problem !== undefined && <span className="field-error">{problem}</span>}
      {context.isEditable && (
        <Button kind="quiet" icon="plus" onClick={add}>
          {words.form.addRow}
        </Button>
      )}
    </fieldset>
  );
}

function renamed(entries: readonly [string, unknown][], before: string, after: string, held: unknown) {
  return Object.fromEntries(entries.map(([name, one]) => (name === before ? [after, held] : [name, one])));
}
