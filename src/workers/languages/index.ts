/** The registry of expression languages. */
import type { LanguageDefinition } from "../engine/language.ts";
import { jq } from "./jq.ts";
import { js } from "./js.ts";
import { jsonata } from "./jsonata.ts";
import { jsonpath } from "./jsonpath.ts";
import { simple } from "./simple.ts";
import { tokenize } from "./tokenize.ts";
import { constant, exchangeProperty, header, variable } from "./values.ts";
import { xpath } from "./xpath.ts";

/** csimple, Camel's compiled simple, is the same language here. */
const csimple: LanguageDefinition = {
  ...simple,
  name: "csimple",
  docs: "Simple under the name of its compiled form in Camel, without a difference here.",
};

export const languages: readonly LanguageDefinition[] = [
  constant,
  header,
  exchangeProperty,
  variable,
  simple,
  csimple,
  jsonpath,
  jq,
  jsonata,
  xpath,
  tokenize,
  js,
];
