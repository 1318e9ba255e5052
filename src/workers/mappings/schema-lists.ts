/** Makes lists where a schema requires them: JSONata returns a list of one element as the element itself. */
import type { JsonSchema } from "../../shared/mapping-models.ts";
import { setOwn } from "../languages/input.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The most references and schemas of `allOf` that are followed for one value. */
const mostHops = 50;

/** Returns the value, or a copy with the changes; null stays null. */
export function withLists(value: unknown, schema: JsonSchema): unknown {
  return listed(value, [schema], schema);
}

function listed(value: unknown, schemas: readonly unknown[], root: JsonSchema): unknown {
  const all = applying(schemas, root);
  if (all.length === 0) return value;
  if (!Array.isArray(value) && value !== null && value !== undefined && all.some(wantsList)) {
    return listed([value], all, root);
  }
  if (Array.isArray(value)) return listedElements(value, all, root);
  return typeof value === "object" && value !== null ? listedFields(value as Fields, all, root) : value;
}

function listedElements(value: readonly unknown[], schemas: readonly Fields[], root: JsonSchema): unknown {
  let changed = false;
  const list = value.map((element, index) => {
    const inner = listed(
      element,
      schemas.flatMap((schema) => schemaOfElement(schema, index)),
      root,
    );
    changed ||= inner !== element;
    return inner;
  });
  return changed ? list : value;
}

function listedFields(value: Fields, schemas: readonly Fields[], root: JsonSchema): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    const inner = listed(
      field,
      schemas.flatMap((schema) => schemaOfField(schema, name)),
      root,
    );
    if (inner === field) continue;
    copy ??= { ...value };
    setOwn(copy, name, inner);
  }
  return copy ?? value;
}

/** Returns the schemas that apply to a value, with `$ref` and `allOf` followed. */
function applying(schemas: readonly unknown[], root: JsonSchema): readonly Fields[] {
  const found: Fields[] = [];
  const waiting = [...schemas];
  for (let hops = 0; waiting.length > 0 && hops < mostHops; hops++) {
    const schema = waiting.pop();
    if (!isFields(schema)) continue;
    found.push(schema);
    if (typeof schema["$ref"] === "string") waiting.push(resolved(root, schema["$ref"]));
    if (Array.isArray(schema["allOf"])) waiting.push(...schema["allOf"]);
  }
  return found;
}

/** Whether the schema allows only a list, or a list and null. */
function wantsList({ type }: Fields): boolean {
  if (type === "array") return true;
  return Array.isArray(type) && type.includes("array") && type.every((one) => one === "array" || one === "null");
}

function schemaOfElement({ items, prefixItems }: Fields, index: number): readonly unknown[] {
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  if (index < first.length) return [first[index]];
  return isFields(items) ? [items] : [];
}

function schemaOfField({ properties, additionalProperties }: Fields, name: string): readonly unknown[] {
  if (isFields(properties) && Object.hasOwn(properties, name)) return [properties[name]];
  return isFields(additionalProperties) ? [additionalProperties] : [];
}

/** Resolves a reference such as `#/$defs/line` in the schema. */
export function resolved(root: JsonSchema, reference: string): unknown {
  let found: unknown = root;
  for (const step of reference.replace(/^#\/?/, "").split("/")) {
    if (step === "" && reference.length <= 2) return found;
    const key = unescaped(step);
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Fields)[key];
  }
  return found;
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return step;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
