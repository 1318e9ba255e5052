/** Failures of a mapping. They name the rule and its target. */
import { ExpressionSyntaxError, exceptionMessage, exceptionType, FlowException } from "../engine/exception.ts";
import { JsonataError } from "../languages/jsonata/evaluator.ts";

/** The failure of one rule. */
export interface RuleError {
  readonly rule: string;
  /** JSON pointer into the result. */
  readonly target: string;
  readonly message: string;
}

export class RuleFailure extends FlowException {
  readonly ruleError: RuleError;

  constructor(mapping: string, name: string, ruleError: RuleError, type: string, cause: unknown) {
    super(type, `mapping '${mapping}' rule ${name} -> ${ruleError.target || "/"}: ${ruleError.message}`, { cause });
    this.ruleError = ruleError;
  }
}

/** A rule has no value, and onMissing is `error`. */
export class MissingValue extends FlowException {
  constructor(expression: string) {
    const shown = expression.length > 60 ? `${expression.slice(0, 60)}...` : expression;
    super("MessageMappingException", `there is no value: '${shown}' gives nothing`);
  }
}

/** Returns the exception class that reports a rule's failure. */
export function typeOf(error: unknown): string {
  return error instanceof JsonataError ? "com.dashjoin.jsonata.JException" : exceptionType(error);
}

/** Limits the message in characters, since an expression may write the text of its own error. */
const longestReason = 4000;

/** Describes the failure, with the column of the expression if it is known. */
export function reasonOf(error: unknown, text: string): string {
  const whole = exceptionMessage(error);
  const message = whole.length > longestReason ? `${whole.slice(0, longestReason)}...` : whole;
  const index = error instanceof JsonataError || error instanceof ExpressionSyntaxError ? error.index : undefined;
  return index === undefined ? message : `${message} (${whereIn(text, index)})`;
}

function whereIn(text: string, index: number): string {
  const before = text.slice(0, index).split("\n");
  const column = `column ${(before.at(-1) ?? "").length + 1}`;
  return before.length === 1 ? column : `line ${before.length}, ${column}`;
}

/** Exceeding a limit ends the run, whatever onError is. */
export function isLimit(error: unknown): boolean {
  return exceptionType(error) === "LimitExceededException";
}
