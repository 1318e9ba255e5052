/** Where a rule puts its value: a JSON pointer (`/order/lines/0/sku`) or a dotted path (`order.lines[0].sku`, `$.order.id`). */

const mostSteps = 64;
const dotted = /^(?:[^.[\]'"`]+|\[(?:\d+|-)\])(?:\.[^.[\]'"`]+|\[(?:\d+|-)\])*$/;

/** The steps; none is the whole result. Throws Error with what is wrong with the text. */
export function readTarget(text: string): readonly string[] {
  const steps = text === "" || text === "/" || text === "$" ? [] : text.startsWith("/") ? pointer(text) : path(text);
  if (steps.length > mostSteps) throw new Error(`a target has at most ${mostSteps} steps`);
  return steps;
}

function pointer(text: string): readonly string[] {
  if (/~(?![01])/.test(text)) throw new Error("in a JSON pointer ~ is written ~0, and / inside a name ~1");
  return text
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function path(text: string): readonly string[] {
  const own = text.replace(/^\$\./, "");
  if (own.includes("[]") || own.includes("[*]")) {
    throw new Error("a target names one place: use forEach with rules for the elements of a list");
  }
  if (!dotted.test(own))
    throw new Error("write a JSON pointer such as /order/id, or a dotted path such as order.lines[0].id");
  return own.match(/[^.[\]]+/g) ?? [];
}
