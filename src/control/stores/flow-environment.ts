/**
 * The variables of the environment that flows may read (`{{env:NAME}}`): ENV_ALLOW names them, for every flow or for a
 * group's.
 */
import {
  readEnvironmentName,
  type Variables,
  variableNameProblem,
  variableProblem,
} from "../../shared/environment-mark.ts";
import { groupOf } from "../../shared/ids.ts";
import { isSecretName } from "../../shared/redact.ts";

export interface AllowedVariable {
  readonly name: string;
  /** The group whose flows may read the variable; undefined: every flow may. */
  readonly group: string | undefined;
}

/** The variables by name. Values are read once, at boot; undefined: the variable is allowed and not set. */
export interface FlowEnvironment {
  readonly allowed: readonly AllowedVariable[];
  readonly values: ReadonlyMap<string, string>;
}

export const noEnvironment: FlowEnvironment = { allowed: [], values: new Map() };

const groupGrammar = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/**
 * Reads ENV_ALLOW: entries separated by blanks or semicolons, each `NAME,NAME` (every flow) or `group=NAME,NAME`.
 * `isOwn`: whether a variable holds the runtime's tokens, keys or secrets.
 */
export function readEnvironment(
  list: string,
  env: Readonly<Record<string, string | undefined>>,
  isOwn: (name: string) => boolean,
): { readonly environment: FlowEnvironment; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const allowed: AllowedVariable[] = [];
  for (const entry of list.split(/[\s;]+/).filter((part) => part !== "")) {
    const equals = entry.indexOf("=");
    const group = equals < 0 ? undefined : entry.slice(0, equals);
    if (group !== undefined && !groupGrammar.test(group)) {
      problems.push(
        `'${group}' is not a group: write the beginning of flow ids up to the first dot, such as team-a=REGION`,
      );
    }
    for (const name of entry.slice(equals + 1).split(",")) {
      const problem = variableNameProblem(name) ?? confidentialProblem(name, isOwn);
      if (problem === undefined) allowed.push({ name, group });
      else problems.push(`'${name}': ${problem}`);
    }
  }
  const set = allowed
    .map(({ name }) => [name, env[name]] as const)
    .filter((one): one is [string, string] => one[1] !== undefined);
  return { environment: { allowed, values: new Map(set) }, problems };
}

function confidentialProblem(name: string, isOwn: (name: string) => boolean): string | undefined {
  if (!isOwn(name) && !isSecretName(name)) return undefined;
  return "it is the runtime's own, or named like a token, key or secret: give flows such a value as {{secret:NAME}}";
}

/** Returns the variables that the flow may read. */
export function variablesOf({ allowed, values }: FlowEnvironment, flowId: string): Variables {
  const group = groupOf(flowId);
  const open = allowed.filter((one) => one.group === undefined || one.group === group);
  return new Map(open.map(({ name }) => [name, values.has(name)]));
}

/**
 * Returns the value for the name of a mark; undefined for a secret's mark. Throws an Error, for whoever deploys the
 * flow, for a variable that the flow may not read.
 */
export function environmentValue(environment: FlowEnvironment, flowId: string, marked: string): string | undefined {
  const use = readEnvironmentName(marked);
  if (use === undefined) return undefined;
  const problem = variableProblem(use, flowId, variablesOf(environment, flowId));
  if (problem !== undefined) throw new Error(problem);
  return environment.values.get(use.name) ?? use.fallback;
}
