/**
 * Compiles paths (`a.b`, `items.sku`, `a[0].b`, `rows[id='x'].name`, `$headers.x`, `a[]`, `items.{"id": sku}`,
 * `items.(price * 2)`) to closures, by the rules of the library's evaluatePath.
 */
import { isFunction } from "../plain-result.ts";
import type { SyntaxNode } from "../syntax-tree.ts";
import { onlyHas, walk } from "../syntax-tree.ts";
import { type Closure, type Scope, unsure } from "./closure.ts";

/** A step in braces or parentheses, which makes something of each value. */
interface MakingStep {
  readonly make: Closure;
}

interface NamedStep {
  readonly name: string;
  /** `[0]`: picks one of the values that the step finds in one context. */
  readonly index: number | undefined;
  /** `[id='x']`: keeps the values for which the closure returns true. */
  readonly filter: Closure | undefined;
}

type Step = NamedStep | MakingStep;

type Compile = (node: SyntaxNode) => Closure | undefined;

/**
 * `variable`: compiles a first step that is a variable; `compile`: predicates, and objects that a step makes. Returns
 * undefined for a path of another form.
 */
export function compilePath(
  node: SyntaxNode,
  maxSequence: number,
  variable: Compile,
  compile: Compile,
): Closure | undefined {
  if (!onlyHas(node, ["type", "steps", "keepArray", "keepSingletonArray"])) return undefined;
  const [first, ...others] = node.steps ?? [];
  if (first === undefined) return undefined;
  const named = (first.type === "name" ? [first, ...others] : others).map((step) => readStep(step, compile));
  if (named.includes(undefined) || named.length === 0) return undefined;
  const steps = named as readonly Step[];
  const start = first.type === "name" ? context : variable(first);
  if (start === undefined) return undefined;
  const path = { steps, keep: node.keepSingletonArray === true, maxSequence };
  return (scope) => {
    const from = start(scope);
    if (from === unsure) return unsure;
    // The library wraps a list that is the input, but follows the path into a list that a variable holds.
    if (Array.isArray(from) && first.type === "name") return unsure;
    return follow(from, path, scope);
  };
}

const context: Closure = (scope) => scope.context;

function readStep(node: SyntaxNode, compile: Compile): Step | undefined {
  const isBlock = node.type === "block";
  if (isBlock || (node.type === "unary" && node.value === "{")) {
    // `a.(b[])` keeps no list of one.
    if (isBlock && keepsLists(node)) return undefined;
    const make = compile(node);
    return make && { make };
  }
  if (node.type !== "name" || typeof node.value !== "string") return undefined;
  if (!onlyHas(node, ["type", "value", "position", "stages", "keepArray"])) return undefined;
  const { stages = [] } = node;
  const [stage, ...more] = stages;
  if (stage === undefined) return { name: node.value, index: undefined, filter: undefined };
  const { type, expr } = stage;
  if (more.length > 0 || type !== "filter") return undefined;
  if (expr.type === "number" && typeof expr.value === "number") {
    return { name: node.value, index: Math.floor(expr.value), filter: undefined };
  }
  const filter = compile(expr);
  return filter && { name: node.value, index: undefined, filter };
}

function keepsLists(node: SyntaxNode): boolean {
  let keeps = false;
  walk(node, ({ keepArray, keepSingletonArray }) => {
    keeps ||= keepArray === true || keepSingletonArray === true;
  });
  return keeps;
}

interface Path {
  readonly steps: readonly Step[];
  readonly keep: boolean;
  readonly maxSequence: number;
}

/** The result of a step with an index or a filter: always flattened, except for a list of the message. */
class Picked {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

const nothing = new Picked([]);

function follow(from: unknown, path: Path, scope: Scope): unknown {
  const { steps, keep } = path;
  let value = from;
  for (let at = 0; at < steps.length; at++) {
    if (Array.isArray(value)) return followAll(value, at, path, scope);
    const found = lookUp(value, steps[at] as Step, scope);
    if (found === undefined || found === unsure) return found;
    if (found instanceof Picked) return followAll(found.values, at + 1, path, scope);
    value = found;
  }
  return keep && !Array.isArray(value) ? [value] : value;
}

/** Follows the path from step `at` on in each element. */
function followAll(
  elements: readonly unknown[],
  at: number,
  { steps, keep, maxSequence }: Path,
  scope: Scope,
): unknown {
  let list = elements;
  for (let index = at; index < steps.length; index++) {
    if (list.length > maxSequence) return unsure;
    const results: unknown[] = [];
    for (const element of list) {
      scope.session.budget.tick();
      if (Array.isArray(element)) return unsure;
      const found = lookUp(element, steps[index] as Step, scope);
      if (found === unsure) return unsure;
      if (found !== undefined) results.push(found);
    }
    // At the last step, a single list is the result itself, of any length. Other lists are flattened.
    if (index === steps.length - 1 && results.length === 1 && Array.isArray(results[0])) return results[0];
    list = flat(results);
    scope.session.budget.keep(list.length * 8);
  }
  if (list.length > maxSequence) return unsure;
  if (list.length === 0) return undefined;
  return list.length === 1 && !keep ? list[0] : list;
}

function flat(results: readonly unknown[]): unknown[] {
  const list: unknown[] = [];
  for (const result of results) {
    const inner = result instanceof Picked ? result.values : result;
    if (Array.isArray(inner)) for (const element of inner) list.push(element);
    else list.push(inner);
  }
  return list;
}

function lookUp(value: unknown, step: Step, scope: Scope): unknown {
  if ("make" in step) return step.make({ ...scope, context: value });
  const { name, index, filter } = step;
  const found = field(value, name);
  if (found === unsure) return unsure;
  if (filter !== undefined) return filtered(found, filter, scope);
  if (index === undefined) return found;
  // A step with an index yields an empty pick, not undefined.
  if (found === undefined) return nothing;
  if (!Array.isArray(found)) {
    if (isMarked(found)) return unsure;
    return index === 0 || index === -1 ? found : nothing;
  }
  const element: unknown = found[index < 0 ? found.length + index : index];
  if (Array.isArray(element)) return element;
  return element === undefined ? nothing : new Picked([element]);
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (isFunction(value)) return unsure;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** A predicate that yields a number or a list picks by place; this needs the interpreter. */
function filtered(found: unknown, filter: Closure, scope: Scope): unknown {
  const values = Array.isArray(found) ? found : [found];
  if (isMarked(found)) return unsure;
  const picked: unknown[] = [];
  for (const context of values) {
    scope.session.budget.tick();
    if (context === undefined || Array.isArray(context)) {
      // The library evaluates the predicate on a missing value, too, and may keep it.
      return context === undefined && filter({ ...scope, context }) === false ? nothing : unsure;
    }
    const holds = filter({ ...scope, context });
    if (holds === true) picked.push(context);
    else if (holds !== false && holds !== undefined) return unsure;
  }
  return new Picked(picked);
}

/** The library marks its own lists with a field of this name. */
function isMarked(value: unknown): boolean {
  return typeof value === "object" && value !== null && "tupleStream" in value;
}
