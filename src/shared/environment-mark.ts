/**
 * `{{env:NAME}}` and `{{env:NAME:default}}` in a flow's model: a mark like a secret's (secret-mark.ts), whose name no
 * secret can have. The value reaches only the flow's thread, like a secret's.
 */

import { groupOf } from "./ids.ts";

/** No secret's name contains `=`. Defaults are encoded, since simple gives some characters a meaning. */
const prefix = "env=";
const nameGrammar = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** The variable of the environment that a mark refers to. */
export interface EnvironmentUse {
  readonly name: string;
  /** The default; undefined: the flow does not start without a value. */
  readonly fallback: string | undefined;
}

/** The variables that a flow may read, each with whether it is set. */
export type Variables = ReadonlyMap<string, boolean>;

/** Returns why the flow cannot read the variable, and what to do; undefined when it can. */
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

/**
 * Returns the variable that a placeholder names: the one as written if the flow may read it, else the one that Camel
 * reads (IOHelper.lookupEnvironmentVariable): `{{env:bucket-name}}`, `{{env:bucket.name}}` and `{{env:bucketName}}` are
 * BUCKET_NAME.
 */
export function variableNamed(written: string, variables: Variables): string {
  const upper = (text: string): string => text.toUpperCase().replaceAll(/[-.]/g, "_");
  const names = [written, upper(written), upper(written.replaceAll(/([a-z\d])([A-Z])/g, "$1-$2"))];
  return names.find((name) => variables.has(name)) ?? (/[-.]/.test(written) ? upper(written) : written);
}

/** Returns why a text is not a name of a variable of the environment; undefined when it is one. */
export function variableNameProblem(name: string): string | undefined {
  if (nameGrammar.test(name)) return undefined;
  return "a variable's name has 1 to 128 characters of A-Z a-z 0-9 _ and does not begin with a digit";
}

/** Returns the mark's name. */
export function environmentName({ name, fallback }: EnvironmentUse): string {
  return fallback === undefined ? prefix + name : `${prefix}${name}=${encodeURIComponent(fallback)}`;
}

/** Reads a mark's name; undefined for the mark of a secret. */
export function readEnvironmentName(marked: string): EnvironmentUse | undefined {
  if (!marked.startsWith(prefix)) return undefined;
  const text = marked.slice(prefix.length);
  const equals = text.indexOf("=");
  if (equals < 0) return { name: text, fallback: undefined };
  return { name: text.slice(0, equals), fallback: decodeURIComponent(text.slice(equals + 1)) };
}

/** Returns the placeholder as written in the flow. */
export function shownVariable({ name, fallback }: EnvironmentUse): string {
  return fallback === undefined ? `{{env:${name}}}` : `{{env:${name}:${fallback}}}`;
}

/** Selects the values of a flow's thread that must never be shown: all except variables of the environment. */
export function confidentialOf(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values)
    .filter(([name]) => readEnvironmentName(name) === undefined)
    .map(([, value]) => value);
}
