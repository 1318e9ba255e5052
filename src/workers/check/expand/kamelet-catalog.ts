/**
 * The kamelets that a flow can use: those of its own text, its route templates (Camel: camel-kamelet), then those of the
 * runtime.
 */
import type { KameletDefinition, KameletProperty } from "../../kamelets/definition.ts";
import { kamelets as native } from "../../kamelets/index.ts";
import { parseYaml } from "../parse.ts";
import { Report } from "../report.ts";
import { entryOf, type MapNode, type Node } from "../tree.ts";
import { kindOf } from "./documents.ts";
import { mapAt, scalarText, withoutEntries } from "./nodes.ts";
import type { Template } from "./template-definition.ts";

export interface Kamelet {
  readonly name: string;
  readonly properties: Readonly<Record<string, KameletProperty>>;
  /** `{from}` or `{route}`, with optional `beans`. */
  readonly template: MapNode;
  /** true: its nodes are in the flow's text. */
  readonly own: boolean;
  /** Present: it is a route template, whose parameters a use may leave to their defaults, and add to. */
  readonly routeTemplate?: Template;
}

export interface Kamelets {
  find(name: string): Kamelet | undefined;
  readonly names: readonly string[];
}

/** Returns the items of a document that define kamelets. */
export function kameletDocuments(items: readonly Node[]): ReadonlySet<Node> {
  return new Set(items.filter((item) => kindOf(item) === "Kamelet"));
}

export function readKamelets(
  documents: ReadonlySet<Node>,
  templates: ReadonlyMap<string, Template>,
  report: Report,
): Kamelets {
  const own = new Map([...templates].map(([id, template]) => [id, templateKamelet(template)]));
  for (const document of documents) {
    const kamelet = readKamelet(document as MapNode, report);
    if (kamelet !== undefined) own.set(kamelet.name, kamelet);
  }
  return {
    find: (name) => own.get(name) ?? nativeKamelet(name),
    names: [...new Set([...own.keys(), ...native.map(({ name }) => name)])],
  };
}

function templateKamelet(template: Template): Kamelet {
  const properties: Record<string, KameletProperty> = Object.create(null);
  for (const { name, required } of template.parameters) {
    properties[name] = { type: "string", ...(required && { required }) };
  }
  const node = withoutEntries(template.node, ["id", "parameters", "description", "note"]);
  return { name: template.id, properties, template: node, own: true, routeTemplate: template };
}

const byName: ReadonlyMap<string, KameletDefinition> = new Map(native.map((kamelet) => [kamelet.name, kamelet]));
const parsed = new Map<string, Kamelet>();

function nativeKamelet(name: string): Kamelet | undefined {
  const definition = byName.get(name);
  const known = parsed.get(name);
  if (definition === undefined || known !== undefined) return known;
  const template = parseYaml(definition.template, new Report());
  if (template?.kind !== "map") throw new Error(`the template of kamelet '${name}' is not a map`);
  const kamelet = { name, properties: definition.properties, template, own: false };
  parsed.set(name, kamelet);
  return kamelet;
}

function readKamelet(document: MapNode, report: Report): Kamelet | undefined {
  const metadata = mapIn(document, "metadata");
  const spec = mapIn(document, "spec");
  const template = mapIn(spec, "template");
  const name = scalarText(metadata && entryOf(metadata, "name")?.value);
  if (name === undefined || template === undefined) {
    report.error("missing_option", "a Kamelet has 'metadata.name' and 'spec.template' with 'from'", document);
    return undefined;
  }
  const definition = mapIn(spec, "definition");
  return { name, properties: propertiesOf(definition ?? mapAt(document, {})), template, own: true };
}

function mapIn(map: MapNode | undefined, key: string): MapNode | undefined {
  const value = map === undefined ? undefined : entryOf(map, key)?.value;
  return value?.kind === "map" ? value : undefined;
}

/** Reads the JSON Schema of a Kamelet: types, defaults, enums, and required properties. */
function propertiesOf(definition: MapNode): Record<string, KameletProperty> {
  const required = listOf(entryOf(definition, "required")?.value);
  const result: Record<string, KameletProperty> = Object.create(null);
  for (const { key, value } of mapIn(definition, "properties")?.entries ?? []) {
    if (value.kind !== "map") continue;
    const type = scalarText(entryOf(value, "type")?.value);
    const standard = entryOf(value, "default")?.value;
    const choice = listOf(entryOf(value, "enum")?.value);
    result[key] = {
      type: type === "integer" || type === "boolean" ? type : "string",
      ...(required.includes(key) && { required: true as const }),
      ...(standard?.kind === "scalar" && standard.text !== null && { default: standard.text }),
      ...(choice.length > 0 && { enum: choice }),
    };
  }
  for (const key of required) result[key] ??= { type: "string", required: true };
  return result;
}

function listOf(node: Node | undefined): readonly string[] {
  return node?.kind === "seq" ? node.items.map((item) => scalarText(item) ?? "") : [];
}
