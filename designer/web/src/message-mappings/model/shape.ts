/** The shape of a message: which fields it has, from a sample, a JSON Schema, or what rules make. */

export interface ShapeMember {
  readonly shape: Shape;
  readonly isRequired: boolean;
}

export type Shape =
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, ShapeMember> }
  /** `item` is undefined when nothing is known of the items. */
  | { readonly kind: "list"; readonly item: Shape | undefined }
  /** `sample`: as it is shown. */
  | { readonly kind: "value"; readonly type: string; readonly sample: string | undefined };

const deepest = 24;
/** Items of a list that are looked at, and fields of an object. */
const mostItems = 50;
const mostMembers = 1000;
const longestSample = 80;

export function shapeOfSample(value: unknown, depth = 0): Shape {
  if (Array.isArray(value)) {
    if (depth > deepest) return { kind: "list", item: undefined };
    const items = value.slice(0, mostItems).map((one) => shapeOfSample(one, depth + 1));
    return { kind: "list", item: items.reduce<Shape | undefined>((all, one) => merged(all, one), undefined) };
  }
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value) ?? "";
    const sample = text.length > longestSample ? `${text.slice(0, longestSample)}…` : text;
    return { kind: "value", type: value === null ? "null" : typeof value, sample };
  }
  const entries = depth > deepest ? [] : Object.entries(value).slice(0, mostMembers);
  return {
    kind: "object",
    members: new Map(
      entries.map(([name, one]) => [name, { shape: shapeOfSample(one, depth + 1), isRequired: false }] as const),
    ),
  };
}

type Schema = Readonly<Record<string, unknown>>;

/** undefined: the schema says nothing of the fields. References lead inside of the schema only, as in the runtime. */
export function shapeOfSchema(schema: unknown, root = schema, depth = 0): Shape | undefined {
  if (!isRecord(schema) || depth > deepest) return undefined;
  const target = typeof schema["$ref"] === "string" ? resolved(root, schema["$ref"]) : undefined;
  const parts = [
    ...(target === undefined ? [] : [target]),
    ...["allOf", "anyOf", "oneOf"].flatMap((name) => listOf(schema[name])),
  ].map((one) => shapeOfSchema(one, root, depth + 1));
  return [ownShape(schema, root, depth), ...parts].reduce<Shape | undefined>(
    (all, one) => (one === undefined ? all : merged(all, one)),
    undefined,
  );
}

function ownShape(schema: Schema, root: unknown, depth: number): Shape | undefined {
  const type = typesOf(schema).find((one) => one !== "null");
  if (type === "array" || isRecord(schema["items"]) || listOf(schema["prefixItems"]).length > 0) {
    const items = [schema["items"], ...listOf(schema["prefixItems"])].map((one) => shapeOfSchema(one, root, depth + 1));
    return { kind: "list", item: items.find((one) => one !== undefined) };
  }
  if (type === "object" || isRecord(schema["properties"])) {
    const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
    const required = new Set(listOf(schema["required"]));
    const members = Object.entries(properties)
      .slice(0, mostMembers)
      .map(([name, one]) => {
        const shape = shapeOfSchema(one, root, depth + 1) ?? { kind: "value", type: "", sample: undefined };
        return [name, { shape, isRequired: required.has(name) }] as const;
      });
    const unnamed = [...required]
      .filter((name) => typeof name === "string" && !Object.hasOwn(properties, name))
      .map(
        (name) => [String(name), { shape: { kind: "value", type: "", sample: undefined }, isRequired: true }] as const,
      );
    return { kind: "object", members: new Map<string, ShapeMember>([...members, ...unnamed]) };
  }
  const words = listOf(schema["enum"]);
  if (type === undefined && words.length === 0 && !Object.hasOwn(schema, "const")) return undefined;
  return { kind: "value", type: type ?? typeof (words[0] ?? schema["const"]), sample: undefined };
}

function typesOf({ type }: Schema): readonly string[] {
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
}

function resolved(root: unknown, ref: string): unknown {
  if (!ref.startsWith("#")) return undefined;
  return decodeURIComponent(ref.slice(1))
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (at, name) => (isRecord(at) ? at[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
      root,
    );
}

/** Both together; where they contradict each other, the one that has fields counts, else the first. */
export function merged(one: Shape | undefined, other: Shape): Shape {
  if (one === undefined) return other;
  if (one.kind === "object" && other.kind === "object") {
    const members = new Map(one.members);
    for (const [name, { shape, isRequired }] of other.members) {
      const known = members.get(name);
      members.set(name, { shape: merged(known?.shape, shape), isRequired: isRequired || known?.isRequired === true });
    }
    return { kind: "object", members };
  }
  if (one.kind === "list" && other.kind === "list") {
    return { kind: "list", item: other.item === undefined ? one.item : merged(one.item, other.item) };
  }
  if (one.kind === "value" && other.kind === "value") {
    const type = one.type === "" || one.type === "null" ? other.type : one.type;
    return { kind: "value", type, sample: one.sample === undefined || one.type === "null" ? other.sample : one.sample };
  }
  return one.kind === "value" ? other : one;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
