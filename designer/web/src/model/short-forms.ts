/** Options that a text fills in place of a map: `to: direct:x` is `to: {uri: direct:x}`. */
import { toCamelCase } from "./names.ts";

const shorts: Readonly<Record<string, string>> = {
  from: "uri",
  to: "uri",
  toD: "uri",
  tod: "uri",
  poll: "uri",
  wireTap: "uri",
  interceptFrom: "uri",
  interceptSendToEndpoint: "uri",
  log: "message",
  rollback: "message",
  convertBodyTo: "type",
  setExchangePattern: "pattern",
  removeHeader: "name",
  removeProperty: "name",
  removeVariable: "name",
  removeHeaders: "pattern",
  removeProperties: "pattern",
  sample: "samplePeriod",
  valueMapping: "id",
  messageMapping: "id",
  json: "library",
  yaml: "library",
  zipDeflater: "compressionLevel",
  tokenize: "token",
};

const languages =
  "constant header exchangeProperty variable simple csimple jsonpath jq jsonata xpath js groovy mvel ognl spel java joor python datasonnet ref method wasm xquery xtokenize hl7terser".split(
    " ",
  );

/** Returns the option that the text under a key fills; undefined when a text says nothing there. */
export function shortOption(key: string): string | undefined {
  const name = toCamelCase(key);
  if (Object.hasOwn(shorts, name)) return shorts[name];
  return languages.includes(name) ? "expression" : undefined;
}
