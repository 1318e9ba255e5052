/** How endpoints name connections, and which flows may use one. */
import { groupOf } from "../editor/calls/known-flows.ts";

/** Options that name a connection, as Camel's `#name`. */
const options: ReadonlySet<string> = new Set(["dataSource", "connectionFactory", "connection", "client", "brokers"]);
/** Endpoints whose path is the name of a connection. */
const addressed = /^(?:jdbc|spring-jdbc):(?:\/\/)?([^?]*)/;

/** Whether an option of an endpoint names a connection. */
export function namesConnection(option: string): boolean {
  return options.has(option);
}

/** The name that the value of an option or an address has; undefined: it names none, or one that is not known before the flow runs. */
export function connectionIn(
  field: { readonly name: string; readonly kind: string },
  text: string,
): string | undefined {
  // `brokers` may have the addresses of servers, too.
  const isName = namesConnection(field.name) && (field.name !== "brokers" || text.trim().startsWith("#"));
  const written = isName ? text : field.kind === "endpoint" ? addressed.exec(text)?.[1] : undefined;
  const name = written?.trim().replace(/^#(?:bean:)?/, "");
  return name === undefined || name === "" || /[{}$]/.test(name) ? undefined : name;
}

/** `flows`: patterns of the connection's document; null: flows of its own group. */
export function mayUse(
  flowId: string,
  { name, flows }: { readonly name: string; readonly flows: readonly string[] | null },
): boolean {
  if (flows === null) return groupOf(flowId) === groupOf(name);
  return flows.some((pattern) => new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`).test(flowId));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
