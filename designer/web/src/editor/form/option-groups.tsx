/** The options of a definition: those that one needs, those that one may need, and those that the catalogue does not have. */
import type { Path } from "../../model/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { words } from "../../words.ts";
import type { Field } from "./fields.ts";
import type { FormContext } from "./form-context.ts";
import { OptionField } from "./option-field.tsx";
import { sortFields } from "./sections.ts";
import { plainText } from "./values.ts";

interface OptionGroupsProps {
  readonly fields: readonly Field[];
  readonly values: Readonly<Record<string, unknown>>;
  /** Options that other parts of the form show. */
  readonly known: ReadonlySet<string>;
  readonly query: string;
  readonly path: Path;
  readonly context: FormContext;
  readonly onValue: (field: Field, value: unknown) => void;
  readonly onRemove: (name: string) => void;
}

export function OptionGroups({ fields, values, known, query, path, context, onValue, onRemove }: OptionGroupsProps) {
  const { main, more, fixed, unknown } = sortFields(fields, Object.keys(values), known, query);
  const row = (field: Field) => (
    <OptionField
      key={field.name}
      field={field}
      value={values[field.name]}
      onValue={(value) => onValue(field, value)}
      path={[...path, field.name]}
      context={context}
    />
  );
  const count = more.reduce((sum, group) => sum + group.fields.length, 0);
  return (
    <>
      {main.map(row)}
      {count > 0 && (
        <details className="form-more">
          <summary>{words.form.more(count)}</summary>
          {more.map(({ title = "", fields: members }) => (
            <section key={title} aria-label={title === "" ? undefined : title}>
              {title !== "" && <h4 className="form-subheading">{title}</h4>}
              {members.map(row)}
            </section>
          ))}
        </details>
      )}
      {fixed.length > 0 && (
        <details className="form-more">
          <summary>{words.form.fixed(fixed.length)}</summary>
          {fixed.map(row)}
        </details>
      )}
      {unknown.length > 0 && (
        <section aria-label={words.form.unknown}>
          <h4 className="form-subheading">{context.isKnown ? words.form.unknown : words.form.written}</h4>
          {unknown.map((name) => (
            <div key={name} className="form-row">
              <output className="form-raw">{`${name}: ${plainText(values[name])}`}</output>
              {context.isEditable && (
                <IconButton icon="trash" label={words.form.remove(name)} onClick={() => onRemove(name)} />
              )}
            </div>
          ))}
        </section>
      )}
    </>
  );
}
