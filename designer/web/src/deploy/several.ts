/** Several flows of the list, compared and deployed one after the other. */
import { useEffect, useState } from "react";
import type { FlowFile, Target } from "../../../shared/wire.ts";
import { sentenceOf } from "../api/sentence.ts";
import { readFlow } from "../api/workspace.ts";
import { type Check, checkFlow } from "./check.ts";
import { deploy, needsOperator } from "./deploy.ts";
import { type RuntimeFlow, readRuntimeFlow } from "./runtime-flow.ts";

export type Progress =
  | {
      readonly kind: "compared";
      readonly file: FlowFile;
      readonly before: RuntimeFlow | undefined;
      readonly check: Check;
      readonly isUnsaved: boolean;
    }
  | { readonly kind: "waiting" }
  | { readonly kind: "deployed"; readonly revision: number }
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
    for (const { file, before } of ready) note(file.id, await deployOne(file, target, before));
  };
  return { progress, go };
}

async function compare(id: string, target: string): Promise<Progress> {
  try {
    const { unsavedSession } = await import("../editor/open-sessions.ts");
    const file = await readFlow(id);
    const [before, check] = await Promise.all([
      readRuntimeFlow({ id, target, withPolicy: "policy" in file.options }),
      checkFlow(id, target, file),
    ]);
    return { kind: "compared", file, before, check, isUnsaved: unsavedSession(id) !== undefined };
  } catch (error) {
    return { kind: "refused", reason: sentenceOf(error) };
  }
}

async function deployOne(file: FlowFile, target: string, before: RuntimeFlow | undefined): Promise<Progress> {
  try {
    const done = await deploy(file, target, before);
    if (done.kind === "deployed") return { kind: "deployed", revision: done.answer.revision };
    return done.kind === "stale" ? { kind: "stale" } : { kind: "refused", reason: done.reason };
  } catch (error) {
    return { kind: "refused", reason: sentenceOf(error) };
  }
}
