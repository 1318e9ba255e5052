/** Expressions in every spelling of Camel's YAML. */
import { isMap } from "yaml";
import { applyChanges, parse } from "./document.ts";
import { toCamelCase } from "./names.ts";
import { placeAt, valueAt } from "./place.ts";
import { prove } from "./prove.ts";
import { EditRefused } from "./refused.ts";
import { optionsAt, removeOption, setOption } from "./set-option.ts";
import type { Change, FlowText, Path } from "./types.ts";

/** Languages of Camel: the keys that are expressions. */
export const languageNames: readonly string[] =
  "constant csimple datasonnet exchangeProperty groovy header hl7terser jactl java joor jq js jsonata jsonpath language method mvel ognl python ref simple spel tokenize variable wasm xpath xquery xtokenize".split(
    " ",
  );

export interface ExpressionText {
  readonly language: string;
  readonly text: string;
  /** The keys of the text below the definition. */
  readonly path: Path;
  /** The keys of the language below the definition. */
  readonly languagePath: Path;
}

/** Reads the expression of a definition in plain data; undefined when it has none. */
export function expressionOf(definition: unknown): ExpressionText | undefined {
  if (!isData(definition)) return undefined;
  const wrapper = Object.keys(definition).find((key) => toCamelCase(key) === "expression");
  const inner = wrapper === undefined ? undefined : definition[wrapper];
  if (wrapper !== undefined && isData(inner)) {
    const found = inMap(inner, [wrapper]);
    if (found !== undefined) return found;
  }
  return inMap(definition, []);
}

function inMap(map: Data, above: Path): ExpressionText | undefined {
  const key = Object.keys(map).find((name) => languageNames.includes(toCamelCase(name)));
  if (key === undefined) return undefined;
  const value = map[key];
  const at = [...above, key];
  const name = toCamelCase(key);
  if (!isData(value)) return { language: name, text: textOf(value), path: at, languagePath: at };
  const own = name === "tokenize" && "token" in value ? "token" : "expression";
  const generic = name === "language" && typeof value["language"] === "string" ? value["language"] : undefined;
  const languagePath = generic === undefined ? at : [...at, "language"];
  return { language: generic ?? name, text: textOf(value[own]), path: [...at, own], languagePath };
}

/**
 * Sets the expression of a definition, in the spelling that it has; a new one is written `expression: {simple:
 * {expression: text}}`, or directly in options that are expressions themselves (`correlationExpression`).
 */
export function setExpression(
  flow: FlowText,
  stepPath: Path,
  { language, text }: { readonly language: string; readonly text: string },
): Change[] {
  const known = expressionOf(valueAt(flow, stepPath));
  if (known === undefined) {
    const option = String(stepPath.at(-1));
    const direct = /Expression$|Predicate$|^(handled|continued|retryWhile|onWhen)$/.test(option);
    const spelled = { [language]: language === "tokenize" ? { token: text } : { expression: text } };
    const [key] = Object.keys(spelled) as [string];
    return setOption(flow, [...stepPath, ...(direct ? [key] : ["expression", key])], spelled[key]);
  }
  if (known.language === language) return setOption(flow, [...stepPath, ...known.path], text);
  if (known.languagePath.at(-1) === "language" && known.languagePath.length > 1) {
    const renamed = setOption(flow, [...stepPath, ...known.languagePath], language);
    return both(flow, renamed, setOption(flow, [...stepPath, ...known.path], text));
  }
  return changeLanguage(flow, stepPath, known, language, text);
}

/** Writes another key in the place of the language's; options that only the old language has go with it. */
function changeLanguage(
  flow: FlowText,
  stepPath: Path,
  known: ExpressionText,
  language: string,
  text: string,
): Change[] {
  const at = [...stepPath, ...known.languagePath];
  const place = placeAt(flow, at);
  if (place?.pair === undefined) throw new EditRefused("nowhere");
  const own = language === "tokenize" ? "token" : "expression";
  const kept = Object.entries(optionsAt(flow, at)).filter(([name]) => ["resultType", "trim", "id"].includes(name));
  const value = isMap(place.node) ? { [own]: text, ...Object.fromEntries(kept) } : text;
  const sameOptions = isMap(place.node) && known.path.at(-1) === own && place.node.items.length === kept.length + 1;
  const changes = sameOptions ? setOption(flow, [...stepPath, ...known.path], text) : setOption(flow, at, value);
  const [from, to] = place.pair.key.range ?? [0, 0];
  const before = valueAt(flow, at.slice(0, -1)) as Data;
  const renamed = Object.fromEntries(
    Object.entries(before).map(([key, one]) => (key === place.path.at(-1) ? [language, value] : [key, one])),
  );
  const holder = at.slice(0, -1);
  const all = [{ from, to, insert: language }, ...changes];
  const after = valueAt(parse(applyChanges(flow.text, all)), holder);
  return prove(flow, all, (root) => {
    if (JSON.stringify(after) !== JSON.stringify(renamed) && !sameOptions) throw new EditRefused("unproved");
    return replacedAt(root, holder, after);
  });
}

function replacedAt(root: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(root))
    return root.map((one, index) => (index === Number(key) ? replacedAt(one, rest, value) : one));
  const map = root as Data;
  return Object.fromEntries(
    Object.entries(map).map(([name, one]) => [
      name,
      name === String(key) || toCamelCase(name) === key ? replacedAt(one, rest, value) : one,
    ]),
  );
}

function both(flow: FlowText, one: readonly Change[], other: readonly Change[]): Change[] {
  const all = [...one, ...other];
  if (parse(applyChanges(flow.text, all)).errors.length > 0) throw new EditRefused("unproved");
  return all;
}

/** Removes the expression of a definition. */
export function removeExpression(flow: FlowText, stepPath: Path): Change[] {
  const known = expressionOf(valueAt(flow, stepPath));
  if (known === undefined) return [];
  const top = known.path[0] as string;
  return removeOption(flow, [...stepPath, top]);
}

type Data = Readonly<Record<string, unknown>>;

function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return value === null || value === undefined || typeof value === "object" ? "" : String(value);
}
