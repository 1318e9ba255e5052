/** Whole numbers beyond 2^53 in filters, which the library reads as doubles and does not order. */

import { maxDigits, readWhole } from "../../../shared/whole-numbers.ts";

/** The library, which path.ts loads. */
export type JsonP3 = typeof import("json-p3");
type Library = JsonP3["jsonpath"];
type Infix = InstanceType<Library["expressions"]["InfixExpression"]>;
type Context = Parameters<Infix["evaluate"]>[0];

/** Replaces how the library reads literals and compares, for all paths of the thread. */
export function compareExactly({ expressions, JSONPathNodeList }: Library): void {
  const { InfixExpression, NumberLiteral } = expressions;
  Object.assign(NumberLiteral.prototype, {
    evaluate(this: InstanceType<typeof NumberLiteral>): number | bigint {
      const { token, value } = this;
      if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
      return /^-?\d+$/.test(token.value) && token.value.length <= maxDigits ? readWhole(token.value) : value;
    },
  });
  const { evaluate } = InfixExpression.prototype;
  const one = (value: unknown): unknown =>
    value instanceof JSONPathNodeList && value.nodes.length === 1 ? value.nodes[0]?.value : value;
  Object.assign(InfixExpression.prototype, {
    evaluate(this: Infix, context: Context): boolean {
      if (this.logical) return evaluate.call(this, context);
      const left = one(this.left.evaluate(context));
      const right = one(this.right.evaluate(context));
      const order = orders[this.operator];
      if (order !== undefined && isNumber(left) && isNumber(right)) return order(left, right);
      return evaluate.call({ ...this, left: { evaluate: () => left }, right: { evaluate: () => right } }, context);
    },
  });
}

type Numeric = number | bigint;

function isNumber(value: unknown): value is Numeric {
  return typeof value === "number" || typeof value === "bigint";
}

/** Comparisons of numbers; JSON has no NaN. */
const orders: Readonly<Record<string, (left: Numeric, right: Numeric) => boolean>> = {
  "==": (left, right) => left <= right && left >= right,
  "!=": (left, right) => left < right || left > right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};
