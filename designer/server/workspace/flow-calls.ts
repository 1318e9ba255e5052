/** Which routes the flows of the workspace offer to others by name, and which they call, as their texts have it. */
import { setImmediate } from "node:timers/promises";
import type { FlowCalls } from "../../shared/wire.ts";
import { callsOf, parse, tree } from "../../web/src/model/index.ts";
import { Refused } from "../refused.ts";
import type { FileFacts } from "./flow-texts.ts";
import type { Workspace } from "./workspace.ts";

type Calls = Omit<FlowCalls, "id">;

export class CallsOfFlows {
  readonly #workspace: Pick<Workspace, "facts" | "read">;
  /** By the hash of the text. */
  #known = new Map<string, Calls>();

  constructor(workspace: Pick<Workspace, "facts" | "read">) {
    this.#workspace = workspace;
  }

  /** Flows whose files cannot be read are left out. Throws Refused. */
  async list(): Promise<readonly FlowCalls[]> {
    const known = new Map<string, Calls>();
    const flows: FlowCalls[] = [];
    for (const facts of await this.#workspace.facts()) {
      const calls = facts.hash === "" ? undefined : await this.#callsOf(facts);
      if (calls === undefined) continue;
      known.set(facts.hash, calls);
      flows.push({ id: facts.id, ...calls });
    }
    this.#known = known;
    return flows;
  }

  async #callsOf({ id, hash }: FileFacts): Promise<Calls | undefined> {
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    // A long text takes a while: others are answered between two of them.
    await setImmediate();
    try {
      const flow = parse((await this.#workspace.read(id)).yaml);
      const { routes, calls } = callsOf(flow, tree(flow));
      return { routes: routes.map(({ path: _, ...route }) => route), calls };
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }
}
