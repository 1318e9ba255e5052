/** Messages that are saved to try a flow with: in the workspace, for everyone who works in it. */
import type { Example, Examples } from "../../../shared/wire.ts";
import { call } from "../api/designer.ts";
import { createStore, type Store } from "../ui/store.ts";
import type { Draft } from "./draft.ts";

type Saved = readonly Example[] | undefined;
const known = new Map<string, Store<Saved>>();

function pathOf(flowId: string): string {
  return `/designer/examples/${encodeURIComponent(flowId)}`;
}

/** undefined: not read yet. */
export function examplesOf(flowId: string): Store<Saved> {
  const store = known.get(flowId) ?? createStore<Saved>(undefined);
  known.set(flowId, store);
  return store;
}

export async function readExamples(flowId: string): Promise<readonly Example[]> {
  const { examples } = (await call<Examples>(pathOf(flowId))).data;
  examplesOf(flowId).set(examples);
  return examples;
}

/** Saves one in place of that of its name, or behind the others. Others may have saved meanwhile: their list is read first. */
export async function saveExample(flowId: string, name: string, { routeId, body, headers }: Draft): Promise<void> {
  const example = { name, routeId, body, headers };
  const before = await readExamples(flowId);
  const at = before.findIndex((one) => one.name === name);
  await write(flowId, at === -1 ? [...before, example] : before.with(at, { ...before[at], ...example }));
}

export async function removeExample(flowId: string, name: string): Promise<void> {
  await write(
    flowId,
    (await readExamples(flowId)).filter((one) => one.name !== name),
  );
}

async function write(flowId: string, examples: readonly Example[]): Promise<void> {
  await call(pathOf(flowId), { method: "PUT", body: { examples } });
  examplesOf(flowId).set(examples);
}

export function draftOfExample(example: Example): Draft {
  const text = (name: string): string => (typeof example[name] === "string" ? example[name] : "");
  return { routeId: text("routeId"), body: text("body"), headers: text("headers") };
}
