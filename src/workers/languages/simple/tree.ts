/** The syntax tree of a simple text. Positions are characters from the start of the whole text. */

/** Literal text alternating with nodes; a template of one node yields that node's value, any other yields text. */
export interface TemplateNode {
  readonly kind: "template";
  readonly pieces: readonly (string | Node)[];
  readonly index: number;
}

/** `${text}`: the text between the braces is not parsed yet. */
export interface FunctionNode {
  readonly kind: "function";
  readonly text: string;
  readonly index: number;
}

/** An unquoted word of the predicate grammar; `'x'` is a template. */
interface LiteralNode {
  readonly kind: "literal";
  readonly value: string | number | bigint | boolean | null;
  readonly index: number;
}

/** `${x}++`, `${x}--`: the value plus or minus one. */
interface UnaryNode {
  readonly kind: "unary";
  readonly operand: Node;
  readonly add: 1 | -1;
  readonly index: number;
}

/** `a ~> b ?~> c`: each link is evaluated with the previous result as the body. */
export interface ChainNode {
  readonly kind: "chain";
  readonly first: Node;
  readonly links: readonly { readonly node: Node; readonly safe: boolean }[];
  readonly index: number;
}

interface ElvisNode {
  readonly kind: "elvis";
  readonly left: Node;
  readonly right: Node;
  readonly index: number;
}

interface TernaryNode {
  readonly kind: "ternary";
  readonly test: Node;
  readonly then: Node;
  readonly otherwise: Node;
  readonly index: number;
}

export interface BinaryNode {
  readonly kind: "binary";
  /** The operator in normal form: `!contains` for `not contains`, `startsWith` for `starts with`. */
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
  readonly index: number;
}

/** `a && b || c`: evaluated strictly from left to right, without precedence (Camel). */
export interface LogicalNode {
  readonly kind: "logical";
  readonly first: Node;
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly node: Node }[];
  readonly index: number;
}

export type Node =
  | TemplateNode
  | FunctionNode
  | LiteralNode
  | UnaryNode
  | ChainNode
  | ElvisNode
  | TernaryNode
  | BinaryNode
  | LogicalNode;

/** How deeply functions, ternaries and elvises may nest. */
export const maxDepth = 32;
