/** Compiles whole texts: what an init block sets, and what stands behind it. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import type { LanguageContext } from "../../engine/language.ts";
import { setVariable } from "../../engine/variables.ts";
import { checkVariable } from "../values.ts";
import { outerScope } from "./compile.ts";
import { type Eval, type Scope, simpleText, type Test } from "./eval.ts";
import { type InitBlock, readInitBlock } from "./init-block.ts";

/** Compiles a text where an expression stands. Throws ExpressionSyntaxError. */
export function compileExpression(text: string, context: LanguageContext): Eval {
  const block = readInitBlock(text);
  if (block === undefined) return outerScope(context).expression(text, 0);
  const [set, value] = compiledBlock(block, context, (scope, rest) => scope.expression(rest, 0));
  return (exchange, body) => {
    set(exchange, body);
    // As in Camel, a text whatever the expression gives.
    return simpleText(value(exchange, body) ?? null, exchange);
  };
}

/** Compiles a text where a condition stands. Throws ExpressionSyntaxError. */
export function compilePredicate(text: string, context: LanguageContext): Test {
  const block = readInitBlock(text);
  if (block === undefined) return outerScope(context).predicate(text, 0);
  const [set, test] = compiledBlock(block, context, (scope, rest) => scope.predicate(rest, 0));
  return (exchange, body) => {
    set(exchange, body);
    return test(exchange, body);
  };
}

/** Returns what sets the variables, and what is compiled of the text behind the block. */
function compiledBlock<T>(
  { assignments, rest, restIndex }: InitBlock,
  context: LanguageContext,
  compile: (scope: Scope, rest: string) => T,
): readonly [set: (...message: Parameters<Eval>) => void, behind: T] {
  const scope = outerScope(context);
  const values = assignments.map(({ name, value, index }) => {
    checkVariable(name, index, context);
    return [name, scope.expression(value, index)] as const;
  });
  const set = (...[exchange, body]: Parameters<Eval>): void => {
    for (const [name, value] of values) setVariable(exchange, name, value(exchange, body));
  };
  try {
    return [set, compile(scope, rest)];
  } catch (error) {
    // Its places are those of the text with variables in place of names.
    if (error instanceof ExpressionSyntaxError) throw new ExpressionSyntaxError(error.message, restIndex);
    throw error;
  }
}
