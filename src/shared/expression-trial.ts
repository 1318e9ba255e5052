/** A trial of an expression on a message (`POST /_api/test/expression`). */
import type { Limits } from "./limits.ts";

export interface ExpressionTrial {
  /** Such as `simple`. */
  readonly language: string;
  readonly expression: string;
  /** true: read as a condition, as `when` and `filter` read theirs; the value is then true or false. */
  readonly condition?: boolean | undefined;
  readonly resultType?: string | undefined;
  /** A JSON value; an object or a list acts as a server's JSON does. */
  readonly body?: unknown;
  /** In place of `body`: the text of a JSON body, which keeps its digits and spelling. */
  readonly json?: string | undefined;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Parameters of the flow. */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

export interface ExpressionTrialRequest extends ExpressionTrial {
  readonly limits: Limits;
}

/** What the expression gives, or why it gives nothing. */
export type ExpressionTrialResult =
  | {
      /** As JSON, without secrets. */
      readonly value: unknown;
      /** true: the value is longer than `recordedBytes`. */
      readonly cut: boolean;
      readonly redacted: boolean;
    }
  | { readonly error: string };
