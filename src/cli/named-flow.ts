/** The flow and the route that `--flow` and `--route` name: a filter that cannot find anything is a slip of the keyboard. */
import { type BulkheadClient, orThrow } from "../client/index.ts";
import { didYouMean } from "../shared/suggest.ts";
import { CommandError } from "./errors.ts";

export interface FlowFilter {
  readonly flow?: string;
  readonly route?: string;
}

/** Throws CommandError when the runtime has no such flow or route. */
export async function refuseUnknown(api: BulkheadClient, filter: FlowFilter): Promise<void> {
  const problem = await unknownIn(api, filter);
  if (problem !== undefined) throw new CommandError(problem);
}

/** Returns what the runtime does not have; undefined: it has all that is named. */
export async function unknownIn(api: BulkheadClient, { flow, route }: FlowFilter): Promise<string | undefined> {
  if (flow === undefined && route === undefined) return undefined;
  const flows = await orThrow(api.GET("/_api/flows"));
  const ids = flows.map(({ id }) => id);
  if (flow !== undefined && !ids.includes(flow)) return `there is no flow '${flow}'${didYouMean(flow, ids)}`;
  const routes = flows.filter(({ id }) => flow === undefined || id === flow).flatMap((one) => one.routes);
  if (route === undefined || routes.some(({ id }) => id === route)) return undefined;
  const hint = didYouMean(
    route,
    routes.map(({ id }) => id),
  );
  return flow === undefined ? `there is no route '${route}'${hint}` : `flow '${flow}' has no route '${route}'${hint}`;
}
