/** The course of a deployment: compare, save, deploy, and what came of it. */
import { useCallback, useEffect, useState } from "react";
import type { Target } from "../../../shared/wire.ts";
import { refreshFlows } from "../api/cache.ts";
import { type Check, checkFlow, checkWith } from "./check.ts";
import { type Answer, deploy } from "./deploy.ts";
import { type RuntimeFlow, readRuntimeFlow } from "./runtime-flow.ts";
import type { DeploySource } from "./source.ts";
import { saveTravelling, type Travelling, travelling } from "./travelling.ts";

export interface Compared {
  readonly before: RuntimeFlow | undefined;
  readonly check: Check;
  /** Those that go along. */
  readonly mappings: readonly Travelling[];
}

export type Stage =
  | { readonly kind: "comparing" }
  | { readonly kind: "unread"; readonly error: unknown }
  | ({ readonly kind: "compared"; readonly isStale: boolean; readonly refused?: string | undefined } & Compared)
  | { readonly kind: "working"; readonly doing: "save" | "deploy" }
  | {
      readonly kind: "deployed";
      readonly answer: Answer;
      readonly check: Check;
    };

interface Course {
  readonly stage: Stage;
  readonly compare: () => void;
  readonly go: (compared: Compared) => Promise<void>;
}

export function useDeployment(source: DeploySource, { name: target }: Target): Course {
  const [stage, setStage] = useState<Stage>({ kind: "comparing" });
  const compare = useCallback(
    async (more: { readonly isStale: boolean; readonly refused?: string } = { isStale: false }): Promise<void> => {
      setStage({ kind: "comparing" });
      const content = source.content();
      const withPolicy = "policy" in content.options;
      try {
        const [before, found, mappings] = await Promise.all([
          readRuntimeFlow({ id: source.id, target, withPolicy }),
          checkFlow(source.id, target, content),
          travelling({ flowId: source.id, uses: source.mappings(), target, withUnsaved: true }),
        ]);
        const check = await checkWith(found, { id: source.id, target, content, mappings });
        setStage({ kind: "compared", before, check, mappings, ...more });
      } catch (error) {
        setStage({ kind: "unread", error });
      }
    },
    [source, target],
  );
  const go = async ({ before, check, mappings }: Compared): Promise<void> => {
    if (source.isUnsaved()) setStage({ kind: "working", doing: "save" });
    if (!(await saveTravelling(mappings))) return compare();
    const file = await source.save();
    if (file === undefined) return compare();
    if ("notSaved" in file) return compare({ isStale: false, refused: file.notSaved });
    setStage({ kind: "working", doing: "deploy" });
    try {
      const deployment = await deploy(file, target, before, mappings);
      if (deployment.kind === "stale") return compare({ isStale: true });
      if (deployment.entry !== undefined) source.noted(deployment.entry);
      refreshFlows(target);
      if (deployment.kind === "refused") return compare({ isStale: false, refused: deployment.reason });
      setStage({ kind: "deployed", answer: deployment.answer, check });
    } catch (error) {
      setStage({ kind: "unread", error });
    }
  };
  useEffect(() => void compare(), [compare]);
  return { stage, compare: () => void compare(), go };
}
