/** The data format `jacksonXml` (Camel: JacksonXMLDataFormat). */

import { parseExactly } from "../../shared/exact-json.ts";
import { FlowException } from "../engine/exception.ts";
import { defineFormat } from "../engine/format.ts";
import { xmlTextOf } from "../engine/message-text.ts";
import { checkType, isKnownTarget, jacksonFeatures, listOf, targets } from "./jackson.ts";
import { dates, includes } from "./json.ts";
import { jsonWriter } from "./json-writer.ts";
import { bodyDocument, writtenAsUtf8 } from "./stream.ts";
import { xmlLibrary, xmlReader } from "./xml-reader.ts";
import { writeXml } from "./xml-writer.ts";

const classes = "there are no Java classes here: leave it out, values become maps and lists";
const registry = "there is no registry of beans: use the format's own options";

export const jacksonXml = defineFormat({
  name: "jacksonXml",
  docs: "XML as maps, as Jackson does it: reading, attributes and elements are entries, what repeats is a list, text beside them is the entry '', all scalars are text and the root's name is lost; writing, the root is called LinkedHashMap, or ArrayList with item elements. Entities of a document type are not expanded.",
  options: (z, { text, flag, oneOf, integer, refused }) =>
    z.object({
      prettyPrint: flag("Writes each element on a line of its own, indented.").default(false),
      unmarshalType: text("What the root, or with `useList` each of its elements, must be; anything else fails.")
        .refine(isKnownTarget, `unmarshalType is one of ${targets}: there are no Java classes here`)
        .default("java.util.Map"),
      useList: flag("Reads the root's elements as a list.").default(false),
      include: oneOf(
        includes,
        "Which entries of maps are written: all, those that are not null, or those that are not empty.",
      ).default("ALWAYS"),
      contentTypeHeader: flag("Writing sets the header Content-Type to application/xml.").default(true),
      timezone: refused(dates, "UTC"),
      maxStringLength: integer("Refuses to read XML with a text of more characters than this.")
        .refine((length) => length > 0, "maxStringLength is at least 1")
        .default(20_000_000),
      enableFeatures: text(
        "Jackson's features that are turned on, with commas between them, such as ORDER_MAP_ENTRIES_BY_KEYS.",
      ).optional(),
      disableFeatures: text(
        "Jackson's features that are turned off, with commas between them, such as WRITE_DATES_AS_TIMESTAMPS.",
      ).optional(),
      enableJaxbAnnotationModule: refused(classes, "false"),
      allowUnmarshallType: refused("a header cannot name a class here: use unmarshalType", "false"),
      allowJmsType: refused("a header cannot name a class here: use unmarshalType", "false"),
      xmlMapper: refused(registry),
      collectionType: refused("lists are of one kind here: use useList"),
      jsonView: refused(classes),
      moduleClassNames: refused(classes),
      moduleRefs: refused(registry),
    }),
  example: "marshal: { jacksonXml: { prettyPrint: true } }",
  marshal(options, limits) {
    const features = jacksonFeatures(options);
    const style = { ...options, ...features, pretty: false, combineUnicodeSurrogates: true };
    const normalise = jsonWriter(style, limits);
    const pretty = options.prettyPrint || features.indent;
    return (exchange, body) => {
      const value = parseExactly(normalise(body));
      const bytes = writtenAsUtf8(exchange, writeXml(value, { pretty, maxBytes: limits.messageBodyBytes }), limits);
      if (options.contentTypeHeader) exchange.message.headers.set("Content-Type", "application/xml");
      return bytes;
    };
  },
  unmarshal({ unmarshalType, useList, maxStringLength: maxString, ...features }, { messageBodyBytes }) {
    const { singleAsList } = jacksonFeatures(features);
    const read = xmlReader(xmlLibrary.module(), { maxString, maxMarks: Math.floor(messageBodyBytes / 8) });
    return (exchange, body) => {
      const root = read(xmlTextOf(exchange, bodyDocument(body), notXml));
      if (useList) return listOf(elementsOf(root), unmarshalType, singleAsList);
      return checkType(typeof root === "string" ? mapOfText(root) : root, unmarshalType);
    };
  },
});

function notXml(why: string): FlowException {
  return new FlowException("com.fasterxml.jackson.core.JsonParseException", `the body is not XML: ${why}`);
}

/** A root without elements and attributes also becomes a map. */
function mapOfText(text: string): unknown {
  return text.trim() === "" ? {} : { "": text };
}

/** Lists the root's elements in their order, without their names. */
function elementsOf(root: unknown): unknown[] {
  if (typeof root !== "object" || root === null) return [];
  return Object.values(root).flat();
}
