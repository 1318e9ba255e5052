/** A value mapping whose versions follow each other under load: every answer is of one version, and of none before the acknowledged one. */
import { pause } from "../../support/clock.ts";
import { webhook } from "../../support/flows.ts";
import { Expected } from "./expected.ts";
import { type LoadCounts, steadyLoad } from "./steady-load.ts";

interface Target {
  readonly port: number;
  /** A management call with the token. */
  api(path: string, init?: RequestInit): Promise<Response>;
}

const clients = 8;

/** Looks up twice, with time for an update in between, and answers both. */
export const twice = webhook(
  "twice",
  "setBody: { constant: a }",
  "valueMapping: { id: pair }",
  'setHeader: { name: first, simple: "${body}" }',
  "delay: { constant: 5 }",
  "setBody: { constant: b }",
  "valueMapping: { id: pair }",
  'setBody: { simple: "${header.first} ${body}" }',
);

export interface UpdateFigures extends LoadCounts {
  readonly updates: number;
}

/** Installs mapping and flow, and then so many versions while 8 clients call without a pause. Rejects when a PUT fails. */
export async function updateUnderLoad(target: Target, updates: number): Promise<UpdateFigures> {
  await put(target, "/value-mappings/pair", pair(0));
  await put(target, "/flows/twice", { yaml: twice });
  const expected = new Expected("200 0 0");
  const load = steadyLoad({ port: target.port, path: "/api/twice", connections: clients, expected });
  for (let n = 1; n <= updates; n++) {
    expected.mayBecome(`200 ${n} ${n}`);
    await put(target, "/value-mappings/pair", pair(n));
    expected.become(`200 ${n} ${n}`);
    // Some answers of this version alone.
    const since = load.counts.answered;
    while (load.counts.answered < since + clients / 2) await pause(1);
  }
  return { updates, ...(await load.stop()) };
}

function pair(n: number): object {
  return { a: String(n), b: String(n) };
}

async function put({ api }: Target, path: string, body: object): Promise<void> {
  const answer = await api(path, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status} ${text}`);
}
