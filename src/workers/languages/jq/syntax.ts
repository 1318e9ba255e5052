/** jq's syntax tree. */

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
