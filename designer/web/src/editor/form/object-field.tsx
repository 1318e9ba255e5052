/** Options that have options of their own: one group of them, or a list of groups. */
import type { ComponentType } from "react";
import type { OptionsSchema } from "../../model/catalog-view.ts";
import { insertStep, type Path, removeOption, removeStep, setOption } from "../../model/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { DocsText } from "../../ui/docs-text.tsx";
import { words } from "../../words.ts";
import { type Field, fieldOf } from "./fields.ts";
import type { FormContext, OptionFieldProps } from "./form-context.ts";
import { isMap, plainText } from "./values.ts";

/** The field of a nested option: it may be an object again. */
interface WithOption {
  readonly Option: ComponentType<OptionFieldProps>;
}

export function ObjectField({ field, value, path, context, Option }: OptionFieldProps & WithOption) {
  const isSet = value !== undefined && value !== null;
  return (
    <details className="form-group" open={isSet || field.required}>
      <summary>{field.title}</summary>
      {field.docs !== "" && (
        <p className="field-help">
          <DocsText text={field.docs} />
        </p>
      )}
      {isSet && !isMap(value) ? (
        <output className="form-raw">{words.form.onlyInYaml(plainText(value))}</output>
      ) : (
        <NestedFields schema={field.schema ?? {}} value={value} path={path} context={context} Option={Option} />
      )}
    </details>
  );
}

export function ObjectsField({ field, value, path, context, Option }: OptionFieldProps & WithOption) {
  const { title, docs, schema = {} } = field;
  const items = Array.isArray(value) ? value : [];
  const at = path.join("/");
  return (
    <fieldset className="form-group">
      <legend>{title}</legend>
      {docs !== "" && (
        <p className="field-help">
          <DocsText text={docs} />
        </p>
      )}
      {value !== undefined && value !== null && !Array.isArray(value) && (
        <output className="form-raw">{words.form.onlyInYaml(plainText(value))}</output>
      )}
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the entries of a list have no other name
        <fieldset key={index} className="form-item">
          <legend>{words.form.entry(index + 1)}</legend>
          {context.isEditable && (
            <IconButton
              icon="trash"
              label={words.form.remove(words.form.entry(index + 1))}
              onClick={() =>
                context.change(title, at, (flow) =>
                  items.length === 1 ? removeOption(flow, path) : removeStep(flow, [...path, index]),
                )
              }
            />
          )}
          <NestedFields schema={schema} value={item} path={[...path, index]} context={context} Option={Option} />
        </fieldset>
      ))}
      {context.isEditable && (
        <Button
          kind="quiet"
          icon="plus"
          onClick={() =>
            context.change(title, at, (flow) =>
              items.length === 0
                ? setOption(flow, path, [newEntry(schema)])
                : insertStep(flow, path, items.length, newEntry(schema)),
            )
          }
        >
          {words.form.addEntry}
        </Button>
      )}
    </fieldset>
  );
}

interface NestedProps extends WithOption {
  readonly schema: OptionsSchema;
  readonly value: unknown;
  readonly path: Path;
  readonly context: FormContext;
}

function NestedFields({ schema, value, path, context, Option }: NestedProps) {
  const set = isMap(value) ? value : {};
  const fields = nestedFields(schema).filter(({ name }) => !ofEveryPart.has(name) || name in set);
  const hasExpression = schema.properties?.["simple"] !== undefined;
  const unknown = Object.entries(set).filter(([name]) => schema.properties?.[name] === undefined);
  return (
    <div className="form-nested">
      {hasExpression && (
        <Option
          field={{ ...fieldOf("expression", { "x-kind": "expression" }, true), docs: "" }}
          value={set}
          onValue={() => {}}
          path={path}
          context={context}
        />
      )}
      {fields.map((field) => (
        <Option
          key={field.name}
          field={field}
          value={set[field.name]}
          onValue={(next) =>
            context.change(field.title, [...path, field.name].join("/"), (flow) =>
              setOption(flow, [...path, field.name], next),
            )
          }
          path={[...path, field.name]}
          context={context}
        />
      ))}
      {unknown.map(([name, held]) => (
        <output key={name} className="form-raw">{`${name}: ${plainText(held)}`}</output>
      ))}
    </div>
  );
}

/** In the entries of a list these stand only where they are set. */
const ofEveryPart = new Set(["id", "description", "note", "disabled"]);

function nestedFields({ properties = {}, required = [] }: OptionsSchema): readonly Field[] {
  return Object.entries(properties)
    .filter(([name, { $ref, "x-kind": kind }]) => name !== "expression" && ($ref === undefined || kind !== undefined))
    .map(([name, property]) => fieldOf(name, property, required.includes(name)));
}

/** An entry as the user has to fill it in; the form shows what is missing. */
function newEntry({ properties = {}, required = [] }: OptionsSchema): object {
  return Object.fromEntries(
    required.flatMap((name) => {
      const [first] = properties[name]?.enum ?? [];
      return first === undefined ? [] : [[name, first]];
    }),
  );
}
