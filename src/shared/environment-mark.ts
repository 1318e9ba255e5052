/**
 * `{{env:NAME}}` and `{{env:NAME:default}}` in a flow's model: a mark as of a secret (secret-mark.ts), with a name that no secret has,
 * so that the value comes into the flow's thread alone, by the same way.
 */

import { groupOf } from "./ids.ts";

/** `=` stands in no name of a secret. Of a default no character is left that has a meaning in a simple text. */
const prefix = "env=";
const nameGrammar = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** What a mark asks of the environment. */
export interface EnvironmentUse {
  readonly name: string;
  /** undefined: without a value the flow does not start. */
  readonly fallback: string | undefined;
}

/** The variables that a flow may read, each with whether it is set. */
export type Variables = ReadonlyMap<string, boolean>;

/** Why the flow cannot read it, with what to do; undefined when it can. */
export function variableProblem(
  { name, fallback }: EnvironmentUse,
  flowId: string,
  variables: Variables,
): string | undefined {
  const isSet = variables.get(name);
  if (isSet === undefined) {
    const group = groupOf(flowId);
    const entry = group === "" ? name : `${group}=${name}`;
    return `{{env:${name}}} is not allowed: start the runtime with ENV_ALLOW=${entry}, or give the value in params`;
  }
  if (isSet || fallback !== undefined) return undefined;
  return `{{env:${name}}} has no value: set the variable where the runtime is started, or write a default: {{env:${name}:default}}`;
}

/** Why it is not a name of a variable of the environment; undefined when it is one. */
export function variableNameProblem(name: string): string | undefined {
  if (nameGrammar.test(name)) return undefined;
  return "a variable's name has 1 to 128 characters of A-Z a-z 0-9 _ and does not begin with a digit";
}

/** The mark's name. */
export function environmentName({ name, fallback }: EnvironmentUse): string {
  return fallback === undefined ? prefix + name : `${prefix}${name}=${encodeURIComponent(fallback)}`;
}

/** undefined: the mark is of a secret. */
export function readEnvironmentName(marked: string): EnvironmentUse | undefined {
  if (!marked.startsWith(prefix)) return undefined;
  const text = marked.slice(prefix.length);
  const equals = text.indexOf("=");
  if (equals < 0) return { name: text, fallback: undefined };
  return { name: text.slice(0, equals), fallback: decodeURIComponent(text.slice(equals + 1)) };
}

/** The placeholder as people wrote it. */
export function shownVariable({ name, fallback }: EnvironmentUse): string {
  return fallback === undefined ? `{{env:${name}}}` : `{{env:${name}:${fallback}}}`;
}

/** Of the values that a flow's thread is given those that nothing may show: all but variables of the environment. */
export function confidentialOf(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values)
    .filter(([name]) => readEnvironmentName(name) === undefined)
    .map(([, value]) => value);
}
