/** The conformance cases as they are written in `cases/<topic>.yaml`, one list a file. */

import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

/** Values as YAML has them; `{$bytes: text}` and `{$date: iso}` stand for bytes and dates. */
export interface Input {
  /** The route's `from`, when it is not the case's `start`. */
  readonly start?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly pattern?: "InOnly" | "InOut";
}

/** What the caller's exchange holds in the end. Values are compared as the text that they render as; null: there is none. */
export interface Reply {
  readonly body?: unknown;
  /** Java class, as Camel would report it. */
  readonly bodyType?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Absent: it did not fail. Without a message: any. */
  readonly exception?: { readonly type: string; readonly message?: string };
}

/** What reached a `mock:`; lists are in the order of arrival. */
export interface MockExpectation {
  readonly count?: number;
  readonly bodies?: readonly unknown[];
  readonly headers?: readonly Readonly<Record<string, unknown>>[];
  readonly properties?: readonly Readonly<Record<string, unknown>>[];
  /** The order of arrival is not Camel's promise. */
  readonly anyOrder?: boolean;
}

export interface Expectation extends Reply {
  /** One for each of `inputs`. */
  readonly replies?: readonly Reply[];
  readonly mocks?: Readonly<Record<string, MockExpectation>>;
  /** All lines of log, in order: `LEVEL logger: message`. */
  readonly logs?: readonly string[];
  /** The flow is refused; the texts are parts of one diagnostic's. */
  readonly diagnostic?: { readonly code?: string; readonly message?: string };
}

export interface ConformanceCase {
  readonly name: string;
  /** Page of Camel's manual or test of Camel's that the case follows. */
  readonly follows: string;
  /** The flow, or in short: the steps of its one route; an expression for the body; a predicate that makes the body true or false. */
  readonly flow?: string;
  readonly steps?: string;
  readonly simple?: string;
  readonly predicate?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** The `from` that the input is for (default `direct:start`). */
  readonly start?: string;
  readonly input?: Input;
  readonly inputs?: readonly Input[];
  /** The flow is ended before the mocks are looked at. */
  readonly stopFirst?: boolean;
  readonly expect: Expectation;
  /** What real Camel 4.22 did: `confirmed`, `differs: why`, `n/a: why it was not asked`. */
  readonly oracle: string;
}

export interface Topic {
  readonly name: string;
  readonly cases: readonly ConformanceCase[];
}

const directory = new URL("cases/", import.meta.url);

export function readTopics(): readonly Topic[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => ({
      name: file.slice(0, -".yaml".length),
      cases: parse(readFileSync(new URL(file, directory), "utf8")) as readonly ConformanceCase[],
    }));
}

/** The flow's YAML, whichever way the case says it. */
export function flowOf({ flow, steps, simple, predicate }: ConformanceCase): string {
  if (flow !== undefined) return flow;
  const text = steps ?? stepsOf(simple, predicate);
  const indented = text.trimEnd().replace(/^(?=.)/gm, "        ");
  return `- route:\n    id: main\n    from:\n      uri: direct:start\n      steps:\n${indented}\n`;
}

function stepsOf(simple: string | undefined, predicate: string | undefined): string {
  if (simple !== undefined) return `- setBody: { simple: { expression: ${JSON.stringify(simple)}, trim: false } }`;
  return `- choice:
    when:
      - simple: ${JSON.stringify(predicate)}
        steps: [{ setBody: { constant: "true" } }]
    otherwise:
      steps: [{ setBody: { constant: "false" } }]`;
}
