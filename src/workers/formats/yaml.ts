/** The data format `yaml` (Camel: SnakeYAMLDataFormat). */

import { defineFormat } from "../engine/format.ts";
import { dataOf } from "../engine/json-data.ts";
import { JsonText } from "../engine/message.ts";
import { tooDeep, writeJson } from "../engine/write-json.ts";
import { checkType, isKnownTarget, targets } from "./jackson.ts";
import { bodyText, written } from "./stream.ts";
import { readYaml, writeYaml, yamlLibrary } from "./yaml-text.ts";

const registry = "there is no registry of beans: use the format's own options";
const classes = "YAML makes maps, lists and scalars here, no Java classes";

export const yaml = defineFormat({
  name: "yaml",
  docs: "YAML 1.1 as SnakeYAML reads it (`yes` and `on` are true, `010` is 8, `12:30` is 750): one document of at most 3 MiB, 150000 values and 50 levels, with YAML's own tags only. Long text may be folded at other words than SnakeYAML's.",
  short: "library",
  options: (z, { text, oneOf, integer, refused }) =>
    z.object({
      library: oneOf(["SnakeYAML"], "The reader and writer that is followed; there is one.").default("SnakeYAML"),
      unmarshalType: text("What the document must be, such as java.util.Map or String; anything else fails.")
        .refine(isKnownTarget, `unmarshalType is one of ${targets}: there are no Java classes here`)
        .optional(),
      maxAliasesForCollections: integer("How many aliases of maps and lists one document may have.")
        .refine((count) => count >= 0 && count <= 1000, "maxAliasesForCollections is 0 to 1000")
        .default(50),
      useApplicationContextClassLoader: refused(classes, "true"),
      prettyFlow: refused("lists and maps of nothing but scalars are written on one line", "false"),
      allowAnyType: refused(classes, "false"),
      allowRecursiveKeys: refused("a key cannot hold itself", "false"),
      typeFilter: refused(classes),
      constructor: refused(registry),
      representer: refused(registry),
      dumperOptions: refused(registry),
      resolver: refused(registry),
    }),
  example: "marshal: { yaml: {} }",
  marshal(_, limits) {
    const library = yamlLibrary.module();
    return (exchange, body) => {
      const value = body instanceof JsonText ? body.value : plainValue(body, limits.messageBodyBytes);
      return written(exchange, writeYaml(value, library), limits);
    };
  },
  unmarshal({ unmarshalType, maxAliasesForCollections: maxAliases }, { messageBodyBytes: maxSize }) {
    const library = yamlLibrary.module();
    return (exchange, body) =>
      checkType(readYaml(bodyText(exchange, body), library, { maxAliases, maxSize }), unmarshalType);
  },
});

/**
 * Keeps dates and bytes. Throws LimitExceededException for a value that would take more than `maxBytes` or nests too
 * deep.
 */
export function plainValue(value: unknown, maxBytes: number): unknown {
  writeJson(value, maxBytes);
  try {
    return dataOf(value, (leaf) => leaf) ?? null;
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}
