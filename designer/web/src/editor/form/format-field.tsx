/** The data format of marshal and unmarshal: which one, and its options. */
import { optionsAt, removeOption, setOption } from "../../model/index.ts";
import { DocsText } from "../../ui/docs-text.tsx";
import { Field } from "../../ui/field.tsx";
import { words } from "../../words.ts";
import { fieldsOf } from "./fields.ts";
import type { FormContext } from "./form-context.ts";
import { OptionGroups } from "./option-groups.tsx";
import type { Subject } from "./subject.ts";

interface FormatFieldProps {
  readonly subject: Subject;
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: FormContext;
}

export function FormatField({ subject, options, context }: FormatFieldProps) {
  const { formats, path, schema } = subject;
  // A format may be written by another of its names, which the schema has, too.
  const written = Object.keys(options).find((name) => /\/format:/.test(schema.properties?.[name]?.$ref ?? ""));
  const format =
    written === undefined ? undefined : /\/format:(.+)$/.exec(schema.properties?.[written]?.$ref ?? "")?.[1];
  const entry = context.catalog.formats.find(({ name }) => name === format);
  const at = [...path, written ?? ""];
  const choose = (name: string): void => {
    context.session.edit(
      [(flow) => (written === undefined ? [] : removeOption(flow, at)), (flow) => setOption(flow, [...path, name], {})],
      { label: words.form.changed(words.form.format) },
    );
  };
  return (
    <>
      <Field label={words.form.format} required help={<DocsText text={entry?.docs ?? ""} />}>
        {(input) => (
          <select
            className="input"
            {...input}
            disabled={!context.isEditable}
            value={format ?? ""}
            onChange={(event) => choose(event.target.value)}
          >
            {format === undefined && <option value="">{words.form.notSet}</option>}
            {formats.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {entry !== undefined && written !== undefined && (
        <OptionGroups
          fields={fieldsOf(entry.schema)}
          values={optionsAt(context.session.flow(), at)}
          known={people}
          query=""
          path={at}
          context={context}
          onValue={({ name, title }, value) =>
            context.change(title, [...at, name].join("/"), (flow) => setOption(flow, [...at, name], value))
          }
          onRemove={(name) => context.change(name, at.join("/"), (flow) => removeOption(flow, [...at, name]))}
        />
      )}
    </>
  );
}

const people: ReadonlySet<string> = new Set(["id", "description", "note"]);
