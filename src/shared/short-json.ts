/**
 * Formats a value for messages to people: JSON on one line, at most `most` characters and `...`. Reads no more of the
 * value than it shows.
 */
export function shortJson(value: unknown, most: number): string {
  const text = shown(value, most + 1);
  return text.length > most ? `${text.slice(0, most)}...` : text;
}

/** Returns the JSON, or slightly more of it than `room` characters. */
function shown(value: unknown, room: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, room));
  if (typeof value !== "object" || value === null) return String(value);
  const list = Array.isArray(value);
  const kind = Object.prototype.toString.call(value);
  if (!list && kind !== "[object Object]") return kind;
  let text = list ? "[" : "{";
  let first = true;
  for (const key in value) {
    if (text.length > room) return text;
    if (!first) text += ",";
    first = false;
    if (!list) text += `${JSON.stringify(key.slice(0, room))}:`;
    text += shown((value as Record<string, unknown>)[key], Math.max(0, room - text.length));
  }
  return text + (list ? "]" : "}");
}
