/** Failures of a mapping, which name the rule and where its value would have gone. */
import { ExpressionSyntaxError, exceptionMessage, exceptionType, FlowException } from "../engine/exception.ts";
import { JsonataError } from "../languages/jsonata/evaluator.ts";

/** What one rule failed with. */
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

/** No value where there must be one. */
export class MissingValue extends FlowException {
  constructor(expression: string) {
    const shown = expression.length > 60 ? `${expression.slice(0, 60)}...` : expression;
    super("MessageMappingException", `there is no value: '${shown}' gives nothing`);
  }
}

/** The class to report a rule's failure under. */
export function typeOf(error: unknown): string {
  return error instanceof JsonataError ? "com.dashjoin.jsonata.JException" : exceptionType(error);
}

/** Characters: an expression may make the message of its error itself. */
const longestReason = 4000;

/** What happened, with the column of the expression as far as it is known. */
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

/** A run is over whatever the mapping says of failures. */
export function isLimit(error: unknown): boolean {
  return exceptionType(error) === "LimitExceededException";
}
