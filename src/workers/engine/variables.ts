/** Sets variables and properties of an exchange (Camel: ExchangeHelper, ExchangeVariableRepository). */
import { FlowException } from "./exception.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Returns why a variable of this name cannot be set; undefined when it can. Only variables of the exchange are
 * supported.
 */
export function settableProblem(name: string): string | undefined {
  const colon = name.indexOf(":");
  if (colon < 0) return undefined;
  const repository = name.slice(0, colon);
  if (repository === "header") return "variables of received headers ('header:...') are read-only";
  if (repository === "route" || repository === "global") {
    return `'${repository}:' variables outlive a run, which is not possible yet: use a variable without '${repository}:'`;
  }
  return `there is no variable repository '${repository}': write the name without '${repository}:'`;
}

/** Sets a variable; null removes it. Throws for a name of another repository. */
export function setVariable(exchange: Exchange, name: string, value: unknown): void {
  const problem = settableProblem(name);
  if (problem !== undefined)
    throw new FlowException("java.lang.IllegalArgumentException", `${problem} (variable '${name}')`);
  if (value === null || value === undefined) exchange.variables.delete(name);
  else exchange.variables.set(name, value);
}

/** Sets a property of the exchange; null removes it. */
export function setProperty(exchange: Exchange, name: string, value: unknown): void {
  if (value === null || value === undefined) exchange.properties.delete(name);
  else exchange.properties.set(name, value);
}

/** Stores a received message in variables: the body as `name`, each header as `header:name.Header`. */
export function receiveIntoVariable(exchange: Exchange, name: string): void {
  const { message, variables } = exchange;
  setVariable(exchange, name, message.body);
  for (const [header, value] of message.headers.entries()) {
    if (value !== null && value !== undefined) variables.set(`header:${name}.${header}`, value);
  }
}

/** Throws for an invalid name when the route is compiled; a template that yields such a name fails at run time. */
export function requireSettable(name: string): void {
  const problem = settableProblem(name);
  if (problem !== undefined) throw new Error(problem);
}
