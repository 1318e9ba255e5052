/** The form of one item: what it is, what can be done with it, and its options in groups. */
import { useMemo, useState } from "react";
import type { OptionsSchema } from "../../model/catalog-view.ts";
import { type Catalog, isListAt, optionsAt, removeOption, setOption } from "../../model/index.ts";
import { words } from "../../words.ts";
import { useSession } from "../canvas/context.ts";
import type { Item } from "../session/items.ts";
import type { EditorSession } from "../session/session.ts";
import { endpointOptions, setEndpointOption } from "./endpoint-options.ts";
import { commonFields, type Field, fieldOf, fieldsOf } from "./fields.ts";
import { FormHead } from "./form-head.tsx";
import { FormatField } from "./format-field.tsx";
import { OptionField } from "./option-field.tsx";
import { OptionGroups } from "./option-groups.tsx";
import { languageOptions, optionsPath, subjectOf } from "./subject.ts";
import { useFormContext } from "./use-form-context.ts";

interface ItemFormProps {
  readonly session: EditorSession;
  readonly item: Item;
  readonly catalog: Catalog;
  readonly isKnown: boolean;
  readonly isEditable: boolean;
}

export function ItemForm({ session, item, catalog, isKnown, isEditable }: ItemFormProps) {
  const [query, setQuery] = useState("");
  const flow = useSession(session, (state) => state.flow);
  const context = useFormContext({ session, catalog, isKnown, isEditable });
  const options = useMemo(() => (flow.errors.length > 0 ? {} : optionsAt(flow, optionsPath(item))), [flow, item]);
  const subject = useMemo(() => subjectOf(item, options, catalog), [item, options, catalog]);
  const { path, schema, endpoint } = subject;
  const isList = useMemo(() => isListAt(flow, path), [flow, path]);
  const common = commonFields(schema);
  const write = (field: Field, value: unknown): void =>
    context.change(field.title, [...path, field.name].join("/"), (now) => setOption(now, [...path, field.name], value));
  const parameters = endpoint === undefined ? {} : endpointOptions(options);
  // Languages and data formats stand in the schema under each of their names.
  const taken = new Set([...structure, ...Object.keys(schema.properties ?? {})]);
  if (subject.hasExpression) for (const name of languageOptions(options)) taken.add(name);
  if (endpoint !== undefined) taken.add("parameters");
  const hasOptions = Object.keys({ ...endpoint?.schema.properties, ...parameters }).length > 0;
  const isPlain = endpoint === undefined && "parameters" in (schema.properties ?? {});
  const rest = isPlain ? [fieldOf("parameters", { ...schema.properties?.["parameters"], "x-kind": "map" }, false)] : [];
  const head = <FormHead {...{ session, item, catalog, subject, query, setQuery, isEditable }} />;
  if (isList)
    return (
      <>
        {head}
        <p className="form-note">{words.form.list}</p>
      </>
    );
  return (
    <>
      {head}
      {subject.hasExpression && query === "" && (
        <OptionField field={expressionField(schema)} value={options} onValue={() => {}} path={path} context={context} />
      )}
      {subject.formats.length > 0 && query === "" && <FormatField {...{ subject, options, context }} />}
      <OptionGroups
        fields={[...fieldsOf(schema), ...rest]}
        values={options}
        known={taken}
        query={query}
        path={path}
        context={context}
        onValue={write}
        onRemove={(name) => context.change(name, path.join("/"), (now) => removeOption(now, [...path, name]))}
      />
      {endpoint !== undefined && hasOptions && (
        <section aria-label={words.form.optionsOf(endpoint.name)}>
          <h3 className="form-heading">{words.form.optionsOf(endpoint.name)}</h3>
          <OptionGroups
            fields={fieldsOf(endpoint.schema)}
            values={parameters}
            known={none}
            query={query}
            path={[...path, "parameters"]}
            context={context}
            onValue={({ name, title }, value) =>
              context.change(title, [...path, "parameters", name].join("/"), (now) =>
                setEndpointOption(now, path, name, value),
              )
            }
            onRemove={(name) =>
              context.change(name, path.join("/"), (now) => setEndpointOption(now, path, name, undefined))
            }
          />
        </section>
      )}
      {common.length > 0 && query === "" && (
        <section aria-label={words.form.people}>
          <h3 className="form-heading">{words.form.people}</h3>
          {common.map((field) => (
            <OptionField
              key={field.name}
              field={field}
              value={options[field.name]}
              onValue={(value) => write(field, value)}
              path={[...path, field.name]}
              context={context}
            />
          ))}
        </section>
      )}
    </>
  );
}

const none: ReadonlySet<string> = new Set();
/** What the canvas shows of a definition. */
const structure = "steps when otherwise doCatch doFinally onFallback from route get post put delete patch head".split(
  " ",
);

function expressionField({ properties = {} }: OptionsSchema): Field {
  const kind = properties["expression"]?.["x-kind"] === "predicate" ? "predicate" : "expression";
  return { ...fieldOf("expression", { "x-kind": kind }, true), docs: "" };
}
