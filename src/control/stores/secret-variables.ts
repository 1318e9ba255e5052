/**
 * Secrets in variables: `<prefix><flow id>__<NAME>`, and `<prefix>_shared__<NAME>` for all flows. In the id each
 * character that is neither a letter nor a digit is written as `_` and its two hexadecimal digits (`shop.in` is
 * `shop_2Ein`), so that no two flows meet.
 */
import { secretNameProblem } from "../../shared/secret-mark.ts";

export interface SecretVariables {
  /** Returns the value; undefined: there is none. `owner`: a flow's id, or `_shared`. */
  value(owner: string, name: string): string | undefined;
}

const variableGrammar = /^((?:_shared)|(?:[A-Za-z0-9](?:[A-Za-z0-9]|_[0-9A-F]{2})*))__([A-Za-z0-9][A-Za-z0-9_]*)$/;

/**
 * Takes the secrets out of `env`. `problems`: a line for each name that is not a secret's, or whose value cannot be
 * one.
 */
export function takeSecretVariables(
  env: Record<string, string | undefined>,
  prefix: string | undefined,
  mostBytes: number,
): { readonly variables: SecretVariables; readonly problems: readonly string[] } {
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (const [variable, value] of Object.entries(env)) {
    if (prefix === undefined || !variable.startsWith(prefix) || value === undefined) continue;
    delete env[variable];
    const [, owner, name = ""] = variableGrammar.exec(variable.slice(prefix.length)) ?? [];
    if (owner === undefined || secretNameProblem(name) !== undefined) {
      problems.push(`${variable}: a secret's variable is ${prefix}<flow id>__<NAME> or ${prefix}_shared__<NAME>`);
    } else if (value === "") problems.push(`${variable}: it is empty`);
    else if (Buffer.byteLength(value) > mostBytes) problems.push(`${variable}: it has more than ${mostBytes} bytes`);
    else values.set(`${owner}__${name}`, value);
  }
  return {
    variables: { value: (owner, name) => values.get(`${ownerText(owner)}__${name}`) },
    problems,
  };
}

/** Returns why a text cannot be SECRETS_ENV_PREFIX: the names of the runtime's own variables must not begin with it. */
export function secretPrefixProblem(prefix: string, own: readonly string[]): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_]{2,}_$/.test(prefix)) {
    return `'${prefix}' is not a prefix: give letters, digits and _, four or more, the last one a _, such as BULKHEAD_SECRET_`;
  }
  const taken = own.find((variable) => variable.startsWith(prefix) || prefix.startsWith(variable));
  return taken === undefined ? undefined : `${taken} begins with it or is its beginning, which is the runtime's own`;
}

function ownerText(owner: string): string {
  if (owner === "_shared") return owner;
  return owner.replaceAll(/[^A-Za-z0-9]/g, (c) => `_${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}
