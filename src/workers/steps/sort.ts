/** The `sort` step (Camel: SortProcessor). */
import { convertTo, javaType } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { defineStep } from "../engine/step.ts";

export const sort = defineStep({
  name: "sort",
  docs: "Sorts a list, the body unless an expression says otherwise, and makes it the body: null first, texts by their characters, numbers by size; maps and lists stay in their order. A text is no list: use tokenize.",
  options: (z, { expression, refused }) =>
    z.object({
      expression: expression("Gives the list that is sorted; by default the body.").optional(),
      comparator: refused("there are no comparator beans: lists are in natural order; use jsonata or js for another"),
    }),
  example: 'sort: { expression: { tokenize: { token: "," } } }',
  compile({ expression }, context) {
    const value = expression === undefined ? undefined : context.expression(expression);
    return (exchange) => {
      const given = value === undefined ? exchange.message.body : value(exchange);
      const list = convertTo(given, "java.util.List", context.limits.messageBodyBytes);
      if (!Array.isArray(list)) {
        const message = `sort needs a list; found ${javaType(given)}: make it one first, such as sort: {tokenize: ","}`;
        throw new FlowException("java.lang.NullPointerException", message);
      }
      exchange.message.body = list.toSorted(compare);
    };
  },
});

/** Values of different types have no order (Java: Comparable.compareTo). Throws ClassCastException. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [comparable(a), comparable(b)];
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? -1 : 1;
  if (left === undefined || right === undefined) return 0;
  if (typeof left !== typeof right && !(isNumber(left) && isNumber(right))) {
    const message = `class ${javaType(a)} cannot be cast to class ${javaType(b)}: values of one list must be of one type to be sorted`;
    throw new FlowException("java.lang.ClassCastException", message);
  }
  return left < right ? -1 : 1;
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

/** Returns undefined for a value without an order. */
function comparable(value: unknown): string | number | bigint | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  return value instanceof Date ? value.getTime() : undefined;
}
