/**
 * Reads and sets variables, of the exchange or of all runs of the flow, and properties of an exchange (Camel:
 * ExchangeHelper, ExchangeVariableRepository).
 */
import { FlowException } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import { fullName, isShared, type SharedVariables, type UseVariable } from "./shared-variables.ts";

/** Returns why there is no variable of this name, whatever is done with it; undefined when there may be. */
export function nameProblem(name: string): string | undefined {
  const [repository = "", ...rest] = name.split(":");
  if (rest.length === 0 || repository === "header" || repository === "exchange") return undefined;
  // A colon of a template's function.
  if (repository.includes("${")) return undefined;
  if (!isShared(name))
    return `there is no variable repository '${repository}': write the name without '${repository}:', or with 'global:' or 'route:'`;
  return rest.some((part) => part === "") ? `a name is missing: write '${repository}:name'` : undefined;
}

/** Returns why a variable of this name cannot be set; undefined when it can. */
export function settableProblem(name: string): string | undefined {
  if (name.startsWith("header:")) return "variables of received headers ('header:...') are read-only";
  return nameProblem(name);
}

/** Returns null for a variable that is not set. Throws for a name of an unknown repository. */
export function getVariable(exchange: Exchange, name: string): unknown {
  if (!name.includes(":")) return exchange.variables.get(name) ?? null;
  refuse(nameProblem(name), name);
  if (!isShared(name)) return exchange.variables.get(name) ?? null;
  return sharedOf(exchange, name).get(fullName(name, exchange.routeId)) ?? null;
}

/** Sets a variable; null removes it. Throws for a name of another repository. */
export function setVariable(exchange: Exchange, name: string, value: unknown): void {
  refuse(settableProblem(name), name);
  put(exchange, name, value);
}

/** Sets a property of the exchange; null removes it. */
export function setProperty(exchange: Exchange, name: string, value: unknown): void {
  if (value === null || value === undefined) exchange.properties.delete(name);
  else exchange.properties.set(name, value);
}

/**
 * Stores a received message in variables: the body as `name`, each header as `header:name.Header`, or for a shared
 * variable as `global:header:name.Header` and `route:header:id:name.Header`.
 */
export function receiveIntoVariable(exchange: Exchange, name: string): void {
  const { message } = exchange;
  setVariable(exchange, name, message.body);
  const full = fullName(name, exchange.routeId);
  const repository = isShared(full) ? full.slice(0, full.indexOf(":") + 1) : "";
  for (const [header, value] of message.headers.entries()) {
    if (value === null || value === undefined) continue;
    put(exchange, `${repository}header:${full.slice(repository.length)}.${header}`, value);
  }
}

/**
 * Declares the variable that a step sets. Throws for an invalid name when the route is compiled; a template that yields
 * such a name fails at run time.
 */
export function requireSettable(name: string, useVariable: UseVariable): void {
  const problem = settableProblem(name);
  if (problem !== undefined) throw new Error(problem);
  useVariable(name);
}

/** Declares the variable that a step reads. Throws for an invalid name. */
export function requireReadable(name: string, useVariable: UseVariable): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new Error(problem);
  useVariable(name);
}

function put(exchange: Exchange, name: string, value: unknown): void {
  const nothing = value === null || value === undefined;
  if (isShared(name)) {
    const full = fullName(name, exchange.routeId);
    const values = sharedOf(exchange, name);
    exchange.run.touched();
    if (nothing) values.delete(full);
    else values.set(full, value);
  } else if (nothing) exchange.variables.delete(name);
  else exchange.variables.set(name, value);
}

function sharedOf({ run }: Exchange, name: string): SharedVariables {
  const { shared } = run;
  if (shared === undefined) {
    const message = `no step or expression of the flow has a 'global:' or 'route:' variable in its own text, and so the flow may have several threads that share none: write the name of one there (variable '${name}')`;
    throw new FlowException("java.lang.IllegalStateException", message);
  }
  return shared;
}

function refuse(problem: string | undefined, name: string): void {
  if (problem !== undefined)
    throw new FlowException("java.lang.IllegalArgumentException", `${problem} (variable '${name}')`);
}
