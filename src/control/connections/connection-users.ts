/** Finds the flows that use a connection, and states what a change means for them. */
import type { ConnectionUse } from "../../shared/connection.ts";
import { AppError } from "../../shared/errors.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { ConnectionRegister } from "./connection-register.ts";
import type { ConnectionUser, ConnectionWarning } from "./connection-service.ts";

/** The most users that an answer lists, and that a message names. */
const mostListed = 1000;
const mostNamed = 5;

/** A flow that may use connections. */
export interface UsingFlow {
  readonly flowId: string;
  readonly manifest: Pick<FlowManifest, "connections">;
}

/** In the order of flows and of their endpoints; of these uses only those that `also` holds for. */
export function usersOf(
  name: string,
  live: Iterable<UsingFlow>,
  register: ConnectionRegister,
  also: (flowId: string, use: ConnectionUse) => boolean = () => true,
): readonly ConnectionUser[] {
  return [...live]
    .sort((a, b) => (a.flowId < b.flowId ? -1 : 1))
    .flatMap(({ flowId, manifest }) =>
      documentsOf(manifest.connections)
        .filter((use) => {
          const meant = register.resolve(flowId, use);
          return typeof meant !== "string" && meant.name === name && also(flowId, use);
        })
        .map(({ routeId, stepId }) => ({ flowId, routeId, stepId })),
    )
    .slice(0, mostListed);
}

/** The uses of connections that have documents. */
export function documentsOf(uses: readonly ConnectionUse[] = []): readonly ConnectionUse[] {
  return uses.filter(({ own }) => own === undefined);
}

export function inUse(name: string, users: readonly ConnectionUser[]): AppError {
  return new AppError(
    "connection_in_use",
    `the connection '${name}' is used by ${named(users)}: change them first, or add force=true and these routes are stopped`,
  );
}

/** Warns of those that used the connection before, and get none after the change. */
export function warnOfLosers(
  before: readonly ConnectionUser[],
  after: readonly ConnectionUser[],
): readonly ConnectionWarning[] {
  const still = new Set(after.map((user) => JSON.stringify(user)));
  return warnOfLost(before.filter((user) => !still.has(JSON.stringify(user))));
}

/** Warns of those that get no connection any more. */
export function warnOfLost(lost: readonly ConnectionUser[]): readonly ConnectionWarning[] {
  if (lost.length === 0) return [];
  const message = `${named(lost)} had this connection and may not use it any more: their messages fail where they need it`;
  return [{ code: "users_lost", message }];
}

function named(users: readonly ConnectionUser[]): string {
  const flows = users
    .slice(0, mostNamed)
    .map(
      ({ flowId, routeId, stepId }) => `flow '${flowId}' (route ${routeId}${stepId === "" ? "" : `, step ${stepId}`})`,
    );
  const more = users.length - flows.length;
  return `${flows.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
