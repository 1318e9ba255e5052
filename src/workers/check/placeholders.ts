/**
 * Fills `{{name}}` placeholders into the scalars of a parsed document, but not into keys (Camel's property
 * placeholders).
 */
import type { Params } from "../../shared/check.ts";
import { type FlowValues, PlaceholderError, refuseMarks, secretMarkOf, variableMarkOf } from "./placeholder-marks.ts";
import type { Report } from "./report.ts";
import { type Entry, entryOf, type MapNode, type Node, placeInside, type ScalarNode, toCamelCase } from "./tree.ts";

const maxNesting = 8;
/** The most characters of the values of all placeholders of a flow. */
const maxFilled = 1024 * 1024;
/** Stands for a `{{?name}}` without a value, until its option is removed. */
const missing = "\u0000missing\u0000";

/** Property functions of Camel that read the machine or its services. */
const functions = new Set("sys bean service service.name service.host service.port configmap".split(" "));
/** Those that read secrets from a vault. */
const vaults = new Set("aws gcp azure hashicorp cyberark ibm kubernetes secret-file".split(" "));

/** A document with its placeholders filled, and the parameters as text. */
export interface Filled {
  readonly root: Node;
  /** Without parameters that are null or have placeholders that cannot be filled. */
  readonly params: Readonly<Record<string, string>>;
  /** Names of the parameters that were read. */
  readonly used: Set<string>;
  /** Whether a value is or contains a mark of `{{secret:NAME}}` or `{{env:NAME}}` (secret-mark.ts). */
  readonly secrets: () => boolean;
  /**
   * Fills a part of a template with the template's parameters, which precede the flow's. Returns undefined if the whole
   * value is a `{{?name}}` without a value.
   */
  fill(part: Node, locals: Locals): Node | undefined;
}

/** A template's own parameters: values as written, each with its place. */
export type Locals = ReadonlyMap<string, ScalarNode>;

/**
 * Supports `{{name}}`, `{{name:default}}`, `{{?name}}` (without a value its option is dropped), `{{!name}}` (negates
 * true and false), placeholders inside placeholders and values, and `\{{` for two braces. A null parameter counts as
 * missing. `{{secret:NAME}}` and `{{env:NAME}}` become marks, whose values only the flow's thread has. Reports
 * placeholders without value and default. Templates (`routeTemplate`, a Kamelet) stay unchanged: see `fill`. So does the
 * `script` of a bean with `scriptPropertyPlaceholders: false`.
 */
export function fillPlaceholders(root: Node, flow: FlowValues, report: Report): Filled {
  refuseMarks(root, flow.params, report);
  const filler = new Filler(flow, report);
  const filled = filler.node(root) ?? { ...root, kind: "scalar", text: null, layout: { kind: "folded" } };
  const { used } = filler;
  return {
    root: filled,
    params: new Filler(flow, report).params(),
    used,
    secrets: () => filler.secrets,
    fill: (part, locals) => filler.part(part, locals),
  };
}

/** Must be called when the whole flow has been read, because functions of expressions also read parameters. */
export function reportUnused(params: Params, { used }: Filled, report: Report): void {
  for (const name of Object.keys(params)) {
    if (used.has(name)) continue;
    const message = `the parameter '${name}' is not used: no placeholder {{${name}}} in the flow`;
    report.warning("unused_param", message, null);
  }
}

class Filler {
  readonly used = new Set<string>();
  secrets = false;
  readonly #params: ReadonlyMap<string, string | number | boolean | null>;
  readonly #flow: FlowValues;
  readonly #report: Report;
  #filled = 0;
  /** undefined outside templates. */
  #locals: Locals | undefined;

  constructor(flow: FlowValues, report: Report) {
    this.#flow = flow;
    this.#params = new Map(Object.entries(flow.params));
    this.#report = report;
  }

  part(node: Node, locals: Locals): Node | undefined {
    const before = this.#locals;
    this.#locals = locals;
    try {
      return this.node(node);
    } finally {
      this.#locals = before;
    }
  }

  /** Returns undefined if the whole value is a `{{?name}}` without a value. */
  node(node: Node): Node | undefined {
    if (node.kind === "scalar") return this.#scalar(node);
    if (node.kind === "map") return this.#locals === undefined && isKamelet(node) ? this.#left(node) : this.#map(node);
    return { ...node, items: node.items.map((item) => this.node(item)).filter((item) => item !== undefined) };
  }

  params(): Record<string, string> {
    const params: [string, string][] = [];
    for (const [name, value] of this.#params) {
      if (value === null) continue;
      try {
        params.push([name, this.#fill(String(value), 1)]);
      } catch (error) {
        if (!(error instanceof PlaceholderError)) throw error;
      }
    }
    return Object.fromEntries(params);
  }

  #map(node: MapNode): MapNode {
    const entries: Entry[] = [];
    const dropped: string[] = [];
    for (const entry of node.entries) {
      if (isKeptScript(entry, node)) {
        entries.push(entry);
        continue;
      }
      const left = this.#locals === undefined && isTemplate(entry);
      const value = left ? this.#left(entry.value) : this.node(entry.value);
      if (value === undefined) dropped.push(entry.key);
      else entries.push(value === entry.value ? entry : { ...entry, value });
    }
    return { ...node, entries, dropped };
  }

  /** Counts the parameters of an unused template as used. */
  #left(node: Node): Node {
    if (node.kind === "map") for (const { value } of node.entries) this.#left(value);
    else if (node.kind === "seq") for (const item of node.items) this.#left(item);
    else if (node.text?.includes("{{")) {
      for (const name of this.#params.keys()) if (node.text.includes(name)) this.used.add(name);
    }
    return node;
  }

  #scalar(node: ScalarNode): ScalarNode | undefined {
    if (node.text === null || !node.text.includes("{{")) return node;
    const local = this.#locals?.get(/^\{\{\??([^{}?!:]+)\}\}$/.exec(node.text)?.[1]?.trim() ?? "");
    if (local !== undefined) return local;
    try {
      const text = withoutMissing(this.#fill(node.text, 0));
      return text === undefined ? undefined : { ...node, text, layout: { kind: "folded" } };
    } catch (error) {
      if (!(error instanceof PlaceholderError)) throw error;
      this.#report.error(error.code, error.message, placeInside(node, node.text.indexOf("{{"), 2));
      this.#report.spoil(node);
      return node;
    }
  }

  #fill(text: string, nesting: number): string {
    if (nesting > maxNesting) {
      throw new PlaceholderError(
        "placeholder_depth",
        `placeholders nest at most ${maxNesting} deep; does one contain itself?`,
      );
    }
    let out = "";
    let at = 0;
    for (let open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", at)) {
      if (text[open - 1] === "\\") {
        out += `${text.slice(at, open - 1)}{{`;
        at = open + 2;
        continue;
      }
      const close = closing(text, open + 2);
      if (close < 0)
        throw new PlaceholderError("placeholder_syntax", `'{{' is not closed by '}}'; write '\\{{' for two braces`);
      out += text.slice(at, open) + this.#value(text.slice(open + 2, close), nesting);
      at = close + 2;
    }
    out += text.slice(at);
    return text.includes("\\{{") ? out.replaceAll("\\}}", "}}") : out;
  }

  #value(inside: string, nesting: number): string {
    const body = this.#fill(inside, nesting + 1).trim();
    const optional = /^!?\?/.test(body);
    const negate = /^\??!/.test(body);
    const bare = body.replace(/^[?!]{1,2}/, "").trim();
    const colon = bare.indexOf(":");
    const flat = /\?nested=false$/i;
    const key = (colon < 0 ? bare : bare.slice(0, colon)).trim();
    if (key === "secret" && colon >= 0) {
      this.secrets = true;
      return secretMarkOf(bare.slice(colon + 1).trim(), optional || negate);
    }
    if (key === "env" && colon >= 0) {
      this.secrets = true;
      return variableMarkOf(bare.slice(colon + 1).trim(), optional || negate, this.#flow);
    }
    refuseFunctions(key, colon >= 0);
    const name = key.replace(flat, "");
    const local = this.#locals?.get(name)?.text;
    const given = this.#params.get(name);
    if (local === undefined && this.#params.has(name)) this.used.add(name);
    let value: string;
    if (local !== undefined && local !== null) value = local;
    else if (given !== undefined && given !== null) {
      value = flat.test(key) ? String(given) : this.#fill(String(given), nesting + 1);
    } else if (colon >= 0) value = bare.slice(colon + 1);
    else if (optional) return missing;
    else {
      throw new PlaceholderError(
        "missing_param",
        `the placeholder {{${name}}} has no value: give it in params, or a default: {{${name}:default}}`,
      );
    }
    this.#filled += value.length + 1;
    if (this.#filled > maxFilled) {
      throw new PlaceholderError("placeholder_size", `placeholders become more than ${maxFilled} characters`);
    }
    return negate ? negated(name, value) : value;
  }
}

/** Whether the entry is a template, whose placeholders are filled when a route is made from it. */
function isTemplate({ key, value }: Entry): boolean {
  return toCamelCase(key) === "routeTemplate" && value.kind === "map";
}

/** Whether the entry is the text of a bean that keeps its `{{...}}` (Camel: scriptPropertyPlaceholders). */
function isKeptScript({ key, value }: Entry, node: MapNode): boolean {
  if (key !== "script" || value.kind !== "scalar") return false;
  const kept = node.entries.find((entry) => toCamelCase(entry.key) === "scriptPropertyPlaceholders")?.value;
  return kept?.kind === "scalar" && /^false$/i.test(kept.text ?? "");
}

function isKamelet(node: MapNode): boolean {
  const kind = entryOf(node, "kind")?.value;
  return kind?.kind === "scalar" && kind.text === "Kamelet" && entryOf(node, "spec") !== undefined;
}

function refuseFunctions(key: string, hasArgument: boolean): void {
  if (!hasArgument || !(functions.has(key) || vaults.has(key))) return;
  const instead = vaults.has(key)
    ? "secrets are the operator's: write {{secret:NAME}}"
    : "a flow reads of the machine what {{env:NAME}} gives it; give the value in params";
  throw new PlaceholderError("no_environment", `{{${key}:...}} is refused: ${instead}`);
}

function negated(name: string, value: string): string {
  if (/^(true|false)$/i.test(value)) return String(value.toLowerCase() === "false");
  throw new PlaceholderError(
    "placeholder_value",
    `{{!${name}}} negates true and false, but the value is '${value.slice(0, 60)}'`,
  );
}

/** Returns the index of the `}}` that closes a placeholder whose text begins at `from`. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2);
    if (pair === "{{") depth += 1;
    else if (pair === "}}") depth -= 1;
    else continue;
    if (depth === 0) return at;
    at += 1;
  }
  return -1;
}

/** An option in the query of a URI. */
const option = /^[^=\s]+=\S*$/;

/** Removes a missing optional value: the whole text (undefined), its option in a URI's query, or else the mark alone. */
function withoutMissing(text: string): string | undefined {
  if (!text.includes(missing)) return text;
  if (text.trim() === missing) return undefined;
  const mark = text.indexOf("?");
  if (mark < 0) return text.replaceAll(missing, "");
  const kept = text
    .slice(mark + 1)
    .split("&")
    .filter((piece) => !(piece.includes(missing) && option.test(piece)));
  const query = kept.length === 0 ? "" : `?${kept.join("&")}`;
  return `${text.slice(0, mark)}${query}`.replaceAll(missing, "");
}
