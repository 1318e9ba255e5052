/** Options of the runtime's catalogue as properties of Kaoto's: each once for tools, and once as JSON Schema for forms. */

export interface OptionSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly OptionSchema[];
  readonly properties?: Readonly<Record<string, OptionSchema>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
  readonly "x-kind"?: string;
}

export interface Entry {
  readonly name: string;
  readonly docs: string;
  readonly schema: OptionSchema;
}

export interface KaotoOptions {
  readonly properties: Readonly<Record<string, object>>;
  readonly propertiesSchema: Readonly<Record<string, unknown>>;
}

/** Kaoto draws what stands inside of a step itself, and leaves these out of its forms. */
const structure = new Set(["steps", "outputs", "when", "otherwise", "doCatch", "doFinally", "onFallback"]);

/** `kind`: of the properties, as Camel's catalogue has them. `languages`: by name, for steps that take an expression. */
export function optionsOf(
  entry: Entry,
  kind: "attribute" | "parameter",
  languages: readonly Entry[] = [],
  pathNames: readonly string[] = [],
): KaotoOptions {
  const { properties = {}, required = [] } = entry.schema;
  const names = new Set(languages.map(({ name }) => name));
  const isExpression = (name: string): boolean => names.has(name) && properties[name]?.$ref !== undefined;
  const takesExpression = Object.keys(properties).some(isExpression);
  const plain = Object.entries(properties).filter(
    ([name]) => !isExpression(name) && !structure.has(name) && !(takesExpression && name === "expression"),
  );
  const listed = plain.map(([name, schema], index) => {
    const isPath = pathNames.includes(name);
    return [name, propertyOf(name, schema, { index, kind: isPath ? "path" : kind, required: required.includes(name) })];
  });
  const forms = plain.map(([name, schema]) => [name, formOf(name, schema)]);
  const expression = {
    ...{ index: listed.length, kind: "expression", displayName: "Expression", group: "common", required: true },
    ...{ type: "object", javaType: "org.apache.camel.model.language.ExpressionDefinition" },
    ...{ oneOf: [...names], deprecated: false, autowired: false, secret: false, description: "The expression." },
  };
  return {
    properties: Object.fromEntries([...listed, ...(takesExpression ? [["expression", expression]] : [])]),
    propertiesSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      title: titleOf(entry.name),
      description: entry.docs,
      additionalProperties: false,
      properties: Object.fromEntries([
        ...forms,
        ...(takesExpression ? ["expression", ...names].map((name) => [name, {}]) : []),
      ]),
      ...(required.length > 0 && { required: required.filter((name) => plain.some(([one]) => one === name)) }),
      ...(takesExpression && { anyOf: [expressionForm(languages)] }),
    },
  };
}

/** `setBody` -> `Set Body`, `platform-http` -> `Platform Http` */
export function titleOf(name: string): string {
  const spaced = name.replace(/[-_]/g, " ").replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return spaced.replace(/(?:^|\s)\S/g, (letter) => letter.toUpperCase());
}

interface Facts {
  readonly index: number;
  readonly kind: string;
  readonly required: boolean;
}

function propertyOf(name: string, schema: OptionSchema, { index, kind, required }: Facts): object {
  const type = typeOf(schema);
  const values = valuesOf(schema);
  return {
    ...{ index, kind, displayName: titleOf(name), group: "common", label: "", required, type },
    javaType: javaTypes[type] ?? "java.lang.String",
    ...(values !== undefined && { enum: values }),
    ...{ deprecated: false, autowired: false, secret: false },
    ...(schema.default !== undefined && { defaultValue: schema.default }),
    description: schema.description ?? "",
  };
}

const javaTypes: Readonly<Record<string, string>> = {
  boolean: "boolean",
  integer: "long",
  number: "double",
  array: "java.util.List<java.lang.String>",
  object: "java.util.Map<java.lang.String, java.lang.Object>",
};

function formOf(name: string, schema: OptionSchema): object {
  const type = typeOf(schema);
  const values = valuesOf(schema);
  return {
    ...{ title: titleOf(name), description: schema.description ?? "", $comment: "group:common" },
    type: type === "enum" || type === "duration" ? "string" : type,
    ...(type === "duration" && { format: "duration" }),
    ...(values !== undefined && { enum: values }),
    ...(schema.default !== undefined && { default: schema.default }),
  };
}

/** Kaoto shows the languages that it finds here for a choice. */
function expressionForm(languages: readonly Entry[]): object {
  return {
    format: "expression",
    oneOf: languages.map((language) => ({
      ...{ type: "object", title: titleOf(language.name), required: [language.name] },
      properties: { [language.name]: optionsOf(language, "attribute").propertiesSchema },
    })),
  };
}

function typeOf(schema: OptionSchema): string {
  const kind = schema["x-kind"] ?? "text";
  if (kind === "true or false") return "boolean";
  if (kind === "whole number") return "integer";
  if (kind === "number") return "number";
  if (kind === "duration") return "duration";
  if (kind.startsWith("list")) return "array";
  if (kind.startsWith("map") || schema.properties !== undefined) return "object";
  return valuesOf(schema) === undefined ? "string" : "enum";
}

function valuesOf(schema: OptionSchema): readonly unknown[] | undefined {
  if (schema["x-kind"] === "true or false") return undefined;
  return [schema, ...(schema.anyOf ?? [])].find((one) => one.enum !== undefined)?.enum;
}
