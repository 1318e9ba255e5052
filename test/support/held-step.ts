/** A step that waits until the test lets it go: for what is to happen while a run is under way, however slow the machine is. */
import type { ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { eventually } from "./clock.ts";
import { startHttpServer } from "./http-server.ts";

/** In milliseconds. */
const patience = 30_000;

export interface HeldStep {
  /** As YAML of a flow. */
  readonly step: string;
  /** What the runtime must allow: `egressAllow`. */
  readonly host: string;
  /** Resolves when so many runs wait in the step. */
  holds(count: number): Promise<unknown>;
  /** Lets the runs go that wait now. */
  letGo(): void;
}

export async function heldStep(t: TestContext): Promise<HeldStep> {
  const waiting: ServerResponse[] = [];
  const server = await startHttpServer(t, (_, response) => void waiting.push(response));
  return {
    step: `to: "${server.url}/?httpMethod=GET"`,
    host: server.host.split(":")[0] ?? "",
    holds: (count) => eventually(() => waiting.length === count, `${count} runs wait`, patience),
    letGo: () => {
      for (const response of waiting.splice(0)) response.end();
    },
  };
}
