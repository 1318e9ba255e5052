/** Sessions that are open for a whole deployment: no two of them mock the same thing. */
import { AppError } from "../../../shared/errors.ts";
import type { Deployment } from "../../flows/deployment.ts";
import type { ArmedMocks } from "../../threads/invocation.ts";
import { targetName } from "./target-name.ts";
import type { SessionRequest } from "./test-service.ts";
import type { TestSession } from "./test-session.ts";

/** Throws mock_conflict. */
export function refuseConflicts({ mocks = [] }: Deployment, { scope, set, replaceFrom }: SessionRequest): void {
  if (scope !== "deployment") return;
  for (const other of mocks) {
    for (const target of set.targets) {
      if (other.set.targets.some((taken) => sameTarget(taken, target))) {
        throw conflict(`${"stepId" in target ? "step" : "endpoints"} '${targetName(target)}'`, other);
      }
    }
    const route = Object.keys(replaceFrom).find((routeId) => other.replaced.has(routeId));
    if (route !== undefined) throw conflict(`the trigger of route '${route}'`, other);
  }
}

/** Runs of its deployment that begin from now on are not in it. */
export function withdraw(session: TestSession): void {
  const { deployment } = session;
  const rest = deployment.mocks?.filter((other) => other !== session) ?? [];
  deployment.mocks = rest.length === 0 ? undefined : rest;
}

type Target = ArmedMocks["set"]["targets"][number];

function sameTarget(a: Target, b: Target): boolean {
  return "stepId" in a === "stepId" in b && targetName(a) === targetName(b);
}

function conflict(what: string, { sessionId }: ArmedMocks): AppError {
  return new AppError(
    "mock_conflict",
    `${what} is mocked for the whole deployment by session '${sessionId}' already: close that one, or send scope: session`,
  );
}
