/** jq's syntax tree, and the precedence of its binary operators. */

export type Node =
  | { readonly kind: "identity" }
  | { readonly kind: "recurse" }
  | { readonly kind: "literal"; readonly value: unknown }
  | { readonly kind: "string"; readonly parts: readonly (string | Node)[]; readonly format: string }
  | { readonly kind: "format"; readonly name: string }
  | { readonly kind: "index"; readonly of: Node; readonly key: Node }
  | { readonly kind: "slice"; readonly of: Node; readonly from: Node | undefined; readonly to: Node | undefined }
  | { readonly kind: "iterate"; readonly of: Node }
  | { readonly kind: "array"; readonly of: Node | undefined }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: Node, value: Node])[] }
  | { readonly kind: "negate"; readonly of: Node }
  | { readonly kind: "pipe"; readonly left: Node; readonly right: Node }
  | { readonly kind: "comma"; readonly left: Node; readonly right: Node }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: "and" | "or"; readonly left: Node; readonly right: Node }
  | { readonly kind: "alternative"; readonly left: Node; readonly right: Node }
  | { readonly kind: "assign"; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: "if"; readonly test: Node; readonly yes: Node; readonly no: Node | undefined }
  | { readonly kind: "try"; readonly body: Node; readonly handler: Node | undefined }
  | {
      readonly kind: "reduce";
      readonly source: Node;
      readonly patterns: readonly Pattern[];
      readonly start: Node;
      readonly update: Node;
    }
  | {
      readonly kind: "foreach";
      readonly source: Node;
      readonly patterns: readonly Pattern[];
      readonly start: Node;
      readonly update: Node;
      readonly extract: Node | undefined;
    }
  | { readonly kind: "bind"; readonly source: Node; readonly patterns: readonly Pattern[]; readonly body: Node }
  | { readonly kind: "label"; readonly name: string; readonly body: Node }
  | { readonly kind: "break"; readonly name: string }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Node[] }
  | { readonly kind: "define"; readonly definition: Definition; readonly body: Node };

/** `def name(f; $x): body;` */
export interface Definition {
  readonly name: string;
  /** A parameter with `$` is bound as a variable, too. */
  readonly parameters: readonly { readonly name: string; readonly isValue: boolean }[];
  readonly body: Node;
}

/** The pattern after `as`; several are alternatives (`?//`). */
export type Pattern =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "array"; readonly elements: readonly Pattern[] }
  | {
      readonly kind: "object";
      readonly entries: readonly {
        readonly key: Node;
        readonly bind: string | undefined;
        readonly value: Pattern | undefined;
      }[];
    };

export function call(name: string, ...args: Node[]): Node {
  return { kind: "call", name, args };
}

/** `.` */
export const identity: Node = { kind: "identity" };

/** Binary operators by precedence; those of an assignment or a comparison do not chain. */
const levels: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "//": 2,
    "=": 3,
    "|=": 3,
    "+=": 3,
    "-=": 3,
    "*=": 3,
    "/=": 3,
    "%=": 3,
    "//=": 3,
    or: 4,
    and: 5,
    "==": 6,
    "!=": 6,
    "<": 6,
    "<=": 6,
    ">": 6,
    ">=": 6,
    "+": 7,
    "-": 7,
    "*": 8,
    "/": 8,
    "%": 8,
  }),
);
export const alternativeLevel = 2;
const assignLevel = 3;
const compareLevel = 6;

/** Returns an operator's precedence; undefined for a text that is not an operator. */
export function levelOf(text: string): number | undefined {
  return levels.get(text);
}

/** Whether an operator of this precedence must not follow another of the same. */
export function isSingle(level: number): boolean {
  return level === assignLevel || level === compareLevel;
}

export function combine(operator: string, level: number, left: Node, right: Node): Node {
  if (level === assignLevel) return { kind: "assign", operator, left, right };
  if (operator === "and" || operator === "or") return { kind: operator, left, right };
  if (operator === "//") return { kind: "alternative", left, right };
  return { kind: "binary", operator, left, right };
}
