/** Converts data formats of `marshal` and `unmarshal`: `json: {prettyPrint: true}`, `json: Jackson`, `json: {}`. */
import type { FormatModel } from "../../shared/flow-model.ts";
import { listed } from "../../shared/suggest.ts";
import type { FormatDefinition } from "../engine/format.ts";
import { legacyFormats, refusedFormats } from "./camel-names.ts";
import { type Context, type Converted, type FormatSource, failed } from "./context.ts";
import { finish } from "./options.ts";
import { atKey, describeNode, type Entry, type MapNode, toCamelCase } from "./tree.ts";

/** Attributes of every data format. */
const ownKeys: ReadonlySet<string> = new Set(["id"]);

export function convertFormat({ entries, where, label }: FormatSource, context: Context): Converted<FormatModel> {
  const { report, scope, definitions } = context;
  const [entry, second] = entries;
  if (entry === undefined) {
    const formats = listed(definitions.catalog.formats.keys());
    report.error("missing_format", `${label} needs a data format, one of: ${formats}`, where, scope);
    return failed;
  }
  if (second !== undefined) {
    const message = `${label} has two data formats, '${entry.key}' and '${second.key}': keep one`;
    report.error("several_formats", message, atKey(second), scope);
    return failed;
  }
  const definition = findFormat(entry, context);
  return definition === undefined ? failed : convertOptions(definition, entry, context);
}

function findFormat(entry: Entry, { definitions, report, scope }: Context): FormatDefinition | undefined {
  const { formats } = definitions.catalog;
  const key = toCamelCase(entry.key);
  const name = legacyFormats.get(key) ?? key;
  const definition = formats.get(name);
  if (definition !== undefined) return definition;
  const refusal = refusedFormats.get(key);
  if (refusal !== undefined) {
    report.error("not_yet", `data format '${key}' ${refusal}`, atKey(entry), scope);
    return undefined;
  }
  const instead = listed(formats.keys());
  const message = `data format '${name}' is part of Camel's YAML DSL; this runtime does not have it yet: there are ${instead}`;
  report.error("not_yet", message, atKey(entry), scope);
  return undefined;
}

function convertOptions(definition: FormatDefinition, entry: Entry, context: Context): Converted<FormatModel> {
  const node = optionsNode(definition, entry, context);
  if (node === failed) return failed;
  const schema = context.definitions.schema(definition);
  const owner = { name: `data format '${definition.name}'`, attributes: ownKeys };
  const values = context.build.map(schema, node, owner, context, atKey(entry));
  const options = values === failed ? failed : finish(schema, values, node, owner, context);
  return options === failed ? failed : { name: definition.name, options, at: entry.keyAt };
}

/** Returns the options as a map: the string form fills the option that `short` names. */
function optionsNode(definition: FormatDefinition, entry: Entry, { report, scope }: Context): Converted<MapNode> {
  const { value } = entry;
  if (value.kind === "map") return value;
  const empty: MapNode = { kind: "map", entries: [], dropped: [], at: entry.keyAt, pointer: value.pointer };
  if (value.kind === "scalar" && value.text === null) return empty;
  const { name, short } = definition;
  if (value.kind === "scalar" && short !== undefined) {
    return { ...empty, entries: [{ key: short, keyAt: value.at, value }] };
  }
  const forms = short === undefined ? "a map of options" : `text (its '${short}') or a map of options`;
  const message = `data format '${name}' takes ${forms}; found ${describeNode(value)}`;
  report.error("wrong_type", message, value, scope);
  return failed;
}
