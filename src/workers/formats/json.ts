/** The data format `json` (Camel: JacksonDataFormat). */

import { jsonPlace } from "../../shared/json.ts";
import type { Limits } from "../../shared/limits.ts";
import { FlowException } from "../engine/exception.ts";
import { FormBody } from "../engine/form.ts";
import { defineFormat } from "../engine/format.ts";
import { ownCopy } from "../engine/in-place.ts";
import { JsonText } from "../engine/message.ts";
import { jsonTextOf } from "../engine/message-text.ts";
import { parseJson } from "../engine/parse-json.ts";
import { checkType, isKnownTarget, jacksonFeatures, listOf, targets } from "./jackson.ts";
import { jsonWriter } from "./json-writer.ts";
import { bodyDocument, writtenAsUtf8 } from "./stream.ts";

export const includes = ["ALWAYS", "NON_NULL", "NON_ABSENT", "NON_EMPTY"] as const;
const classes = "there are no Java classes here: leave it out, values become maps and lists";
export const dates =
  "dates are written as milliseconds, or in UTC without WRITE_DATES_AS_TIMESTAMPS: make them text before marshal";
const otherLibraries =
  "library is Jackson, the only one here: others write and read JSON otherwise (Gson leaves out what is null and reads 1 as 1.0), so leave it out";
const registry = "there is no registry of beans: use the format's own options";

export const json = defineFormat({
  name: "json",
  docs: "JSON as Jackson reads and writes it. A text becomes a quoted string; a body that came as JSON is a document, and is written as it came unless an option changes it. Whole numbers keep every digit, of which one has at most 1000; decimals are doubles, `1.0` is `1`, and one beyond their range is written as the text `Infinity`, as in Camel. Nothing may follow the document.",
  short: "library",
  options: (z, { text, flag, oneOf, integer, refused }) =>
    z.object({
      library: refused(otherLibraries, "Jackson"),
      prettyPrint: flag("Writes over several lines, indented.").default(false),
      unmarshalType: text("What the document must be, such as java.util.Map or String; anything else fails.")
        .refine(isKnownTarget, `unmarshalType is one of ${targets}: there are no Java classes here`)
        .optional(),
      useList: flag("The document must be a list; its elements are of the `unmarshalType`.").default(false),
      include: oneOf(
        includes,
        "Which entries of maps are written: all, those that are not null, or those that are not empty.",
      ).default("ALWAYS"),
      contentTypeHeader: flag("Writing sets the header Content-Type to application/json.").default(true),
      combineUnicodeSurrogates: flag(
        "Writes characters above U+FFFF as they are; without this as two \\u escapes.",
      ).default(false),
      dateFormatPattern: refused(dates),
      timezone: refused(dates, "UTC"),
      maxStringLength: integer("Refuses to read JSON with a text value of more characters than this.")
        .refine((length) => length > 0, "maxStringLength is at least 1")
        .default(20_000_000),
      enableFeatures: text(
        "Jackson's features that are turned on, with commas between them, such as ORDER_MAP_ENTRIES_BY_KEYS.",
      ).optional(),
      disableFeatures: text(
        "Jackson's features that are turned off, with commas between them, such as WRITE_DATES_AS_TIMESTAMPS.",
      ).optional(),
      useDefaultObjectMapper: refused("there is one mapper: leave it out", "true"),
      autoDiscoverObjectMapper: refused(registry, "false"),
      autoDiscoverSchemaResolver: refused("there are no schema resolvers: leave it out", "true"),
      allowUnmarshallType: refused("a header cannot name a class here: use unmarshalType", "false"),
      allowJmsType: refused("a header cannot name a class here: use unmarshalType", "false"),
      objectMapper: refused(registry),
      collectionType: refused("lists are of one kind here: use useList"),
      jsonView: refused(classes),
      moduleClassNames: refused(classes),
      moduleRefs: refused(registry),
      schemaResolver: refused(registry),
      namingStrategy: refused(
        "it renames the properties of Java classes, not the keys of maps: set the keys themselves",
      ),
    }),
  example: "marshal: { json: { prettyPrint: true } }",
  marshal(options, limits) {
    const features = jacksonFeatures(options);
    const pretty = options.prettyPrint || features.indent;
    const write = jsonWriter({ ...options, ...features, pretty }, limits);
    const asItCame = !pretty && options.include === "ALWAYS" && !features.sortKeys;
    return (exchange, body) => {
      const text = asItCame && body instanceof JsonText && !(body instanceof FormBody) ? body.text : write(body);
      const bytes = writtenAsUtf8(exchange, text, limits);
      if (options.contentTypeHeader) exchange.message.headers.set("Content-Type", "application/json");
      return bytes;
    };
  },
  unmarshal(options, limits) {
    const { singleAsList } = jacksonFeatures(options);
    return (exchange, body) => {
      const value =
        body instanceof JsonText && !(body instanceof FormBody)
          ? ownCopy(body.value)
          : readJson(jsonTextOf(exchange, bodyDocument(body), malformed));
      checkStrings(value, options.maxStringLength, limits);
      return options.useList
        ? listOf(value, options.unmarshalType, singleAsList)
        : checkType(value, options.unmarshalType, singleAsList);
    };
  },
});

const malformed = "com.fasterxml.jackson.core.JsonParseException";

function readJson(text: string): unknown {
  if (text.trim() === "") {
    const type = "com.fasterxml.jackson.databind.exc.MismatchedInputException";
    throw new FlowException(type, "No content to map due to end-of-input");
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof FlowException) throw error;
    const message = error instanceof SyntaxError ? `the body is not JSON${jsonPlace(text)}` : (error as Error).message;
    throw new FlowException(malformed, message);
  }
}

/** Jackson's StreamReadConstraints. Skipped while no body can contain such a string. */
function checkStrings(value: unknown, most: number, { messageBodyBytes }: Limits): void {
  if (most >= messageBodyBytes) return;
  const values = [value];
  while (values.length > 0) {
    const one = values.pop();
    if (typeof one === "string" && one.length > most) {
      const message = `String value length (${one.length}) exceeds the maximum allowed (${most})`;
      throw new FlowException("com.fasterxml.jackson.core.exc.StreamConstraintsException", message);
    }
    if (typeof one === "object" && one !== null) for (const inner of Object.values(one)) values.push(inner);
  }
}
