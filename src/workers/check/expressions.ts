/** Converts expressions in Camel's four spellings, and compiles each once so that syntax errors get a place. */
import type { ExpressionModel } from "../../shared/flow-model.ts";
import { hasSecret } from "../../shared/secret-mark.ts";
import { didYouMean, listed } from "../../shared/suggest.ts";
import { isBooleanType, isKnownType } from "../engine/convert.ts";
import { ExpressionSyntaxError, exceptionMessage } from "../engine/exception.ts";
import type { LanguageDefinition } from "../engine/language.ts";
import { NotLoaded } from "../engine/late-module.ts";
import { camelLanguages, refusedLanguages } from "./camel-names.ts";
import { type Context, type Converted, type ExpressionSource, failed, type Options } from "./context.ts";
import { finish } from "./options.ts";
import {
  atKey,
  describeNode,
  type Entry,
  entryOf,
  type MapNode,
  placeInside,
  type ScalarNode,
  toCamelCase,
  type Where,
} from "./tree.ts";

/** The alternative to a secret in a wrong place. */
export const bySetVariable =
  "give it to a variable or a header first (setVariable: {name: key, expression: {constant: {expression: '{{secret:NAME}}'}}}) and use that";

const ownKeys = new Set(["expression", "resultType", "trim", "id"]);

/** Camel loads such a text from a file or a server (ScriptHelper.resolveOptionalExternalScript). */
const loadedExpression = /^resource:/;
/** A log message may be `resource: 7`, which Camel logs unchanged. */
const loadedTemplate = /^resource:[\w-]+:/;

/** `simple: text`, `simple: {expression: text}`, `expression: {simple: text}`, `expression: {simple: {expression: text}}`. */
export function convertExpression(source: ExpressionSource, context: Context): Converted<ExpressionModel> {
  const { report, scope, definitions } = context;
  const wrapper = source.entries.find((entry) => entry.key === "expression");
  if (wrapper !== undefined && source.entries.length > 1) {
    const other = source.entries.find((entry) => entry !== wrapper) as Entry;
    const message = `${source.label} has '${other.key}' and 'expression': an expression stands in one of them`;
    report.error("several_expressions", message, atKey(other), scope);
    return failed;
  }
  if (wrapper !== undefined && wrapper.value.kind !== "map") {
    const message = `'expression' holds a language and its text, such as {simple: "\${body}"}; found ${describeNode(wrapper.value)}`;
    report.error("wrong_type", message, wrapper.value, scope);
    return failed;
  }
  const entries = wrapper?.value.kind === "map" ? wrapper.value.entries : source.entries;
  const [entry, second] = entries;
  if (entry === undefined) {
    const languages = listed(definitions.catalog.languages.keys());
    report.error(
      "missing_expression",
      `${source.label} needs an expression in one of: ${languages}`,
      source.where,
      scope,
    );
    return failed;
  }
  if (second !== undefined) {
    const message = `${source.label} has two expressions, '${entry.key}' and '${second.key}': keep one`;
    report.error("several_expressions", message, atKey(second), scope);
    return failed;
  }
  return convertLanguage(entry, source, context);
}

function convertLanguage(entry: Entry, source: ExpressionSource, context: Context): Converted<ExpressionModel> {
  const node = entry.value;
  const name = toCamelCase(entry.key);
  // `language: {language: js, expression: text}` is the generic spelling.
  const generic = name === "language" && node.kind === "map" ? entryOf(node, "language") : undefined;
  const genericName = generic?.value.kind === "scalar" ? generic.value.text : null;
  const language = findLanguage(genericName ?? name, generic === undefined ? atKey(entry) : generic.value, context);
  if (language === undefined) return failed;
  const own = node.kind === "map" && language.text !== undefined ? entryOf(node, language.text) : undefined;
  const text = node.kind === "map" ? (own ?? entryOf(node, "expression"))?.value : node;
  if (text?.kind !== "scalar" || text.text === null) {
    const message = `language '${language.name}' needs the expression's text${text === undefined ? "" : `; found ${describeNode(text)}`}`;
    context.report.error("missing_expression", message, atKey(entry), context.scope);
    return failed;
  }
  const given =
    node.kind === "map" ? { ...node, entries: node.entries.filter((e) => e !== generic && e !== own) } : undefined;
  return build(language, text, text.text, given, source.kind, context, language.text === undefined);
}

function findLanguage(
  name: string,
  where: Where,
  { definitions, report, scope }: Context,
): LanguageDefinition | undefined {
  const languages = definitions.catalog.languages;
  const language = languages.get(name);
  if (language !== undefined) return language;
  const refusal = refusedLanguages.get(name);
  if (refusal !== undefined) {
    report.error("not_yet", `language '${name}' ${refusal}`, where, scope);
  } else if (camelLanguages.includes(name)) {
    const instead = listed(languages.keys());
    const message = `language '${name}' is part of Camel's YAML DSL; this runtime does not have it yet: use one of ${instead}`;
    report.error("not_yet", message, where, scope);
  } else {
    const hint = didYouMean(name, languages.keys());
    report.error(
      "unknown_language",
      `unknown expression language '${name}'${hint}; there are: ${listed(languages.keys())}`,
      where,
      scope,
    );
  }
  return undefined;
}

/** Converts a template, which is `simple` without options. */
export function convertTemplate(node: ScalarNode, label: string, context: Context): Converted<ExpressionModel> {
  const simple = context.definitions.catalog.languages.get("simple");
  if (simple === undefined || node.text === null) {
    context.report.error(
      "unknown_language",
      `${label} is a template of the language 'simple', which is missing`,
      node,
      context.scope,
    );
    return failed;
  }
  return build(simple, node, node.text, undefined, "template", context, false);
}

function build(
  language: LanguageDefinition,
  scalar: ScalarNode,
  written: string,
  attributes: MapNode | undefined,
  kind: "expression" | "predicate" | "template",
  context: Context,
  trimByDefault = true,
): Converted<ExpressionModel> {
  const options = languageOptions(language, attributes ?? emptyAt(scalar), context);
  const resultType = attribute(attributes, "resultType", context);
  const trim = attribute(attributes, "trim", context);
  if (options === failed || resultType === failed || trim === failed) return failed;
  const keepSpace = trim === undefined ? !trimByDefault : trim.toLowerCase() === "false";
  const trimmed = keepSpace ? written : written.trim();
  const offset = keepSpace ? 0 : written.length - written.trimStart().length;
  const asPredicate = kind === "predicate" || (resultType !== undefined && isBooleanType(resultType));
  if (hasSecret(trimmed) && language.secrets === undefined) {
    const message = `a text of ${language.name} cannot hold {{secret:...}} or {{env:...}}, whose value would be read as a part of it: ${bySetVariable}`;
    context.report.error("secret_here", message, scalar, context.scope);
    return failed;
  }
  const loaded = kind === "template" ? loadedTemplate : loadedExpression;
  // A token is literal text, and is never loaded.
  if (language.text === undefined && loaded.test(trimmed)) {
    const message = `'${trimmed.slice(0, 60)}' is refused: a flow reads no files and no servers for its expressions; write the text itself in its place`;
    context.report.error("resource_here", message, placeInside(scalar, offset), context.scope);
    return failed;
  }
  let text = trimmed;
  try {
    if (hasSecret(trimmed)) text = language.secrets?.bind(trimmed) ?? trimmed;
    const surroundings = { ...context.surroundings, resultType };
    if (asPredicate && language.predicate !== undefined) language.predicate(text, options, surroundings);
    else language.expression(text, options, surroundings);
  } catch (error) {
    if (error instanceof NotLoaded) throw error;
    const where = error instanceof ExpressionSyntaxError ? placeInside(scalar, offset + error.index) : scalar;
    context.report.error("expression_syntax", `${language.name}: ${exceptionMessage(error)}`, where, context.scope);
    return failed;
  }
  const { line, column } = placeInside(scalar, offset).at;
  const at = { ...scalar.at, line, column };
  return { language: language.name, text, options, ...(resultType !== undefined && { resultType }), at };
}

function languageOptions(language: LanguageDefinition, node: MapNode, context: Context): Converted<Options> {
  const schema = context.definitions.schema(language);
  const owner = { name: `language '${language.name}'`, attributes: ownKeys };
  const values = context.build.map(schema, node, owner, context, node);
  return values === failed ? failed : finish(schema, values, node, owner, context);
}

/** Converts a text attribute of the object form. */
function attribute(node: MapNode | undefined, key: string, { report, scope }: Context): Converted<string | undefined> {
  const value = node === undefined ? undefined : entryOf(node, key)?.value;
  if (value === undefined || (value.kind === "scalar" && value.text === null)) return undefined;
  const isFlag = key === "trim";
  const text = value.kind === "scalar" ? value.text : null;
  if (text !== null && (isFlag ? /^(true|false)$/i.test(text) : isKnownType(text))) return text;
  const expected = isFlag ? "true or false" : "a type that this runtime knows, such as java.lang.Integer or String";
  report.error("invalid_value", `'${key}' is ${expected}; found ${describeNode(value)}`, value, scope);
  return failed;
}

function emptyAt({ at, pointer }: ScalarNode): MapNode {
  return { kind: "map", entries: [], dropped: [], at, pointer };
}
