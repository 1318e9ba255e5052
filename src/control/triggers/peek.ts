/** Looks at the messages that wait for the source of a route, without taking them. */
import { AppError } from "../../shared/errors.ts";
import type { PeekedPreview } from "../../shared/peek.ts";
import type { FlowRegister } from "../flows/flow-register.ts";
import { within } from "../threads/waiting.ts";

/** A server that does not answer in this time is not waited for. */
const patienceMs = 20_000;

export class Peek {
  readonly #register: Pick<FlowRegister, "get">;

  constructor(register: Pick<FlowRegister, "get">) {
    this.#register = register;
  }

  /** Throws AppErrors `not_found`, and `not_peekable` with the reason. */
  async messages(flowId: string, routeId: string, limit: number): Promise<readonly PeekedPreview[]> {
    const entry = this.#register.get(flowId);
    if (entry === undefined) throw new AppError("not_found", `there is no flow '${flowId}'`);
    const { deployment, state } = entry;
    if (deployment === undefined) throw new AppError("not_peekable", `flow '${flowId}' is ${state}: start it first`);
    const routeIndex = deployment.routeIndexes.get(routeId) ?? -1;
    const route = deployment.manifest.routes[routeIndex];
    if (route === undefined) throw new AppError("not_found", `flow '${flowId}' has no route '${routeId}'`);
    if (route.trigger.kind !== "source")
      throw new AppError("not_peekable", `route '${routeId}' (${route.uri}) takes no messages by itself`);
    if (route.trigger.peeks !== true)
      throw new AppError(
        "not_peekable",
        `route '${routeId}' (${route.uri}): its messages cannot be looked at without being taken`,
      );
    const asked = deployment.pool.peek(routeIndex, limit);
    if (asked === undefined)
      throw new AppError("not_peekable", `flow '${flowId}' has no thread at the moment: start it, and look again`);
    if (!(await within(patienceMs, asked)))
      throw new AppError("not_peekable", `the server of route '${routeId}' did not answer within ${patienceMs} ms`);
    const answer = await asked;
    if ("messages" in answer) return answer.messages;
    throw new AppError("not_peekable", `route '${routeId}': ${answer.failure}`);
  }
}
