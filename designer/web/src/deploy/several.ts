/** Several flows of the list, compared and deployed one after the other. */
import { useEffect, useState } from "react";
import type { FlowFile, Target } from "../../../shared/wire.ts";
import { sentenceOf } from "../api/sentence.ts";
import { readFlow } from "../api/workspace.ts";
import { type Check, checkFlow, checkWith } from "./check.ts";
import { type Answer, deploy, needsOperator } from "./deploy.ts";
import { type RuntimeFlow, readRuntimeFlow } from "./runtime-flow.ts";
import { type Travelling, travelling } from "./travelling.ts";

export type Progress =
  | {
      readonly kind: "compared";
      readonly file: FlowFile;
      readonly before: RuntimeFlow | undefined;
      readonly check: Check;
      readonly isUnsaved: boolean;
      /** Those that go along, as the disk has them. */
      readonly mappings: readonly Travelling[];
    }
  | { readonly kind: "waiting" }
  | { readonly kind: "deployed"; readonly revision: number; readonly mappings: Answer["mappings"] }
  | { readonly kind: "stale" }
  | { readonly kind: "refused"; readonly reason: string };

export type Compared = Extract<Progress, { kind: "compared" }>;

interface Several {
  /** By flow. */
  readonly progress: ReadonlyMap<string, Progress>;
  /** Deploys the flows that were compared. */
  readonly go: (ids: readonly string[]) => Promise<void>;
}

export function isReady(one: Progress | undefined): one is Compared {
  if (one?.kind !== "compared") return false;
  return one.check.isValid && !needsOperator(one.file, one.before);
}

export function useSeveral(ids: readonly string[], { name: target }: Target): Several {
  const [progress, setProgress] = useState<ReadonlyMap<string, Progress>>(new Map());
  const note = (id: string, one: Progress): void => setProgress((before) => new Map([...before, [id, one]]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the flows and the runtime are those of the dialog
  useEffect(() => {
    let isOver = false;
    const compareAll = async (): Promise<void> => {
      for (const id of ids) {
        const compared = await compare(id, target);
        if (isOver) return;
        note(id, compared);
      }
    };
    void compareAll();
    return () => {
      isOver = true;
    };
  }, []);
  const go = async (chosen: readonly string[]): Promise<void> => {
    const ready = chosen.map((id) => progress.get(id)).filter(isReady);
    for (const { file } of ready) note(file.id, { kind: "waiting" });
    // A mapping that an earlier flow has brought is there: only the first one brings it.
    const brought = new Set<string>();
    for (const one of ready) {
      const mappings = one.mappings.filter((mapping) => !brought.has(`${mapping.kind} ${mapping.id}`));
      const done = await deployOne({ ...one, mappings }, target);
      if (done.kind === "deployed") for (const { kind, id } of mappings) brought.add(`${kind} ${id}`);
      note(one.file.id, done);
    }
  };
  return { progress, go };
}

async function compare(id: string, target: string): Promise<Progress> {
  try {
    const { unsavedSession } = await import("../editor/open-sessions.ts");
    const file = await readFlow(id);
    const [before, found, mappings] = await Promise.all([
      readRuntimeFlow({ id, target, withPolicy: "policy" in file.options }),
      checkFlow(id, target, file),
      travelling({ flowId: id, uses: file.mappings, target, withUnsaved: false }),
    ]);
    const check = await checkWith(found, { id, target, content: file, mappings });
    return { kind: "compared", file, before, check, mappings, isUnsaved: unsavedSession(id) !== undefined };
  } catch (error) {
    return { kind: "refused", reason: sentenceOf(error) };
  }
}

async function deployOne({ file, before, mappings }: Compared, target: string): Promise<Progress> {
  try {
    const done = await deploy(file, target, before, mappings);
    if (done.kind === "deployed")
      return { kind: "deployed", revision: done.answer.revision, mappings: done.answer.mappings };
    return done.kind === "stale" ? { kind: "stale" } : { kind: "refused", reason: done.reason };
  } catch (error) {
    return { kind: "refused", reason: sentenceOf(error) };
  }
}
