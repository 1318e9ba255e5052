/** Names of fields as expressions and targets write them: paths of JSONata, and JSON pointers. */

const plain = /^[A-Za-z_]\w*$/;
const reserved = new Set(["and", "or", "in", "true", "false", "null", "function"]);

/** `customer.address`; `$` without names. A name that no path can have is looked up: `$lookup($, "a`b")`. */
export function pathExpression(names: readonly string[]): string {
  return (
    names.reduce((path, name) => {
      if (name.includes("`")) return `$lookup(${path === "" ? "$" : path}, ${quoted(name)})`;
      const step = plain.test(name) && !reserved.has(name) ? name : `\`${name}\``;
      return path === "" ? step : `${path}.${step}`;
    }, "") || "$"
  );
}

const step = /(?:`([^`]*)`|([A-Za-z_]\w*))/y;

/** The names of an expression that is nothing but a path of names from where it stands; undefined: it is more than that. */
export function pathNames(expression: string): readonly string[] | undefined {
  const text = expression.trim();
  if (text === "$") return [];
  let at = text.startsWith("$.") ? 2 : 0;
  const names: string[] = [];
  for (;;) {
    step.lastIndex = at;
    const found = step.exec(text);
    const name = found?.[1] ?? found?.[2];
    if (found === null || name === undefined) return undefined;
    if (found[2] !== undefined && names.length === 0 && at === 0 && reserved.has(name)) return undefined;
    names.push(name);
    at = step.lastIndex;
    if (at === text.length) return names;
    if (text[at] !== ".") return undefined;
    at += 1;
  }
}

/** A text literal of JSONata: in single quotes, which need no escape inside of JSON, where that is possible. */
export function quoted(text: string): string {
  const escaped = JSON.stringify(text);
  if (text.includes("'")) return escaped;
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"')}'`;
}

/** The text of a literal with its quotes; undefined: it is none. */
export function unquoted(literal: string): string | undefined {
  const text = literal.trim();
  const quote = text[0];
  if ((quote !== "'" && quote !== '"') || text.length < 2 || endOfText(text, 0) !== text.length) return undefined;
  const inner = text.slice(1, -1);
  try {
    return JSON.parse(`"${quote === "'" ? inner.replaceAll('"', '\\"') : inner}"`) as string;
  } catch {
    return undefined;
  }
}

/** Where a text literal ends that begins at `start`; the length of the whole when it has no end. */
export function endOfText(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return text.length + 1;
}

/** A JSON pointer; "" is the whole. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((one) => `/${String(one).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The steps of a target as the runtime reads it, a JSON pointer or a dotted path; undefined: it is neither. */
export function targetSteps(text: string): readonly string[] | undefined {
  if (text === "" || text === "/" || text === "$") return [];
  if (text.startsWith("/")) {
    if (/~(?![01])/.test(text)) return undefined;
    return stepsOfPointer(text);
  }
  const own = text.replace(/^\$\./, "");
  const dotted = /^(?:[^.[\]'"`]+|\[(?:\d+|-)\])(?:\.[^.[\]'"`]+|\[(?:\d+|-)\])*$/;
  return dotted.test(own) ? (own.match(/[^.[\]]+/g) ?? []) : undefined;
}

export function stepsOfPointer(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Whether a step of a target is a place in a list. */
export function isListStep(one: string): boolean {
  return /^(?:-|0|[1-9]\d{0,15})$/.test(one);
}
