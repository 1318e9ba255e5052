/** Ids: their grammar, generators, and patterns. */

/**
 * The grammar of ids as one pattern, for documents that publish it. It excludes names that Windows reserves, alone or
 * with an extension, because a routes directory may be shared with Windows.
 */
export const idPattern =
  "^(?!.*\\.\\.)(?!.*\\.$)(?!(?:[cC][oO][nN]|[pP][rR][nN]|[aA][uU][xX]|[nN][uU][lL]|[cC][oO][mM][0-9]|[lL][pP][tT][0-9])(?:\\.|$))[A-Za-z0-9][A-Za-z0-9._-]{0,127}$";
/** The grammar of the ids of flows: see `flowIdProblem`. */
export const flowIdPattern = `^(?!.*\\.[fF][lL][oO][wW]$)${idPattern.slice(1)}`;
const whole = new RegExp(idPattern);
/** `^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$` (docs/api.md 1): needs no escaping in a URL, a file name and a log line. */
const grammar = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Returns why `id` is not an id of a flow or a route; undefined when it is one. */
export function idProblem(id: string): string | undefined {
  if (whole.test(id)) return undefined;
  if (!grammar.test(id)) {
    return "an id has 1 to 128 characters of A-Z a-z 0-9 . _ - and begins with a letter or a digit";
  }
  if (id.includes("..")) return "an id has no '..'";
  if (id.endsWith(".")) return "an id does not end with '.'";
  return "an id is not the name of a device";
}

/** Returns why `id` is not an id of a flow; undefined when it is one. `orders.flow.yaml` is the companion file of the flow `orders`. */
export function flowIdProblem(id: string): string | undefined {
  if (!/\.flow$/i.test(id)) return idProblem(id);
  return "the id of a flow does not end with '.flow', since 'orders.flow.yaml' is the companion file of the flow 'orders'";
}

const pool = new Uint8Array(4096);
let hex = "";
let used = 0;

/** Returns `digits` random hexadecimal digits. They come from a block that one system call fills with 8192 digits. */
export function randomHex(digits: number): string {
  if (used + digits > hex.length) {
    hex = Buffer.from(crypto.getRandomValues(pool)).toString("hex");
    used = 0;
  }
  const from = used;
  used += digits;
  return hex.slice(from, used);
}

let now = 0;
let nowText = "";

/** Makes a run's id: milliseconds in base 36, then 64 random bits. Ids sort by the run's start. */
export function newRunId(): string {
  const ms = Date.now();
  if (ms !== now) {
    now = ms;
    nowText = `${ms.toString(36)}-`;
  }
  return nowText + randomHex(16);
}

/**
 * Returns the group of a flow: its id up to the first dot, "" (the common group) without one. Flows of a group may call
 * each other.
 */
export function groupOf(flowId: string): string {
  const dot = flowId.indexOf(".");
  return dot < 0 ? "" : flowId.slice(0, dot);
}

/**
 * Whether `text` matches `pattern`, where `*` matches any characters or none. Not a regular expression, since callers
 * provide the pattern.
 */
export function wildcard(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  if (parts.length === 1) return text === pattern;
  const last = parts.at(-1) ?? "";
  const end = text.length - last.length;
  if (first.length > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
