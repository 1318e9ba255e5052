/** What the deployer is asked for, what it keeps of it, what it answers, and what it reports. */
import type { DocumentVersion } from "../stores/documents.ts";
import { optionsOf } from "../stores/flow-options.ts";
import type { DocumentChange } from "../stores/sets.ts";
import type { DesiredState, FlowStore, PreparedRevision, RevisionContent } from "../stores/stores.ts";
import type { Deployment } from "./deployment.ts";
import type { CheckedFlow, FlowContent } from "./flow-check.ts";
import type { AccessToConnections } from "./missing-connections.ts";

/** A document that is kept in one piece with the flow's revision, and comes into force in the same turn. */
export interface Alongside {
  /** Empty: it is as it was. */
  readonly documents: readonly DocumentChange[];
  install(versions: readonly (DocumentVersion | undefined)[]): void;
}

export interface DeployOrder extends FlowContent {
  /** Present: the boot load has checked the text, and nothing on the disk changes. */
  readonly checked?: CheckedFlow;
  /** true: a flow that begins by calls only, and has no threads now, is compiled once and takes a thread with its first call. */
  readonly onCall?: boolean;
  readonly alongside?: Alongside | undefined;
  /** The connections as they will be; absent: as they are. */
  readonly connections?: AccessToConnections | undefined;
  /** Also starts routes whose `autoStartup` is false. */
  readonly startAll: boolean;
  /** true: who deploys logs a failure. */
  readonly reported?: boolean | undefined;
  /** How long (ms) deploy() waits for the runs of the previous deployment before it kills them; absent: it does not wait. */
  readonly drainMs?: number | undefined;
}

/** The state that every deployment has kept. */
export const deployedState: DesiredState = "started";

/** The writing of a revision while the flow is checked and compiled; it becomes the flow with its commit. */
export interface Preparing {
  readonly revision: Promise<PreparedRevision>;
  /** Resolves when nothing of it is left. */
  abandon(): Promise<void>;
}

export function prepareRevision(store: FlowStore, flowId: string, content: RevisionContent): Preparing {
  const revision = store.prepare(flowId, content);
  const abandon = () =>
    revision.then(
      (prepared) => prepared.discard(),
      () => undefined,
    );
  // It may fail before anybody waits for it.
  revision.catch(() => undefined);
  return { revision, abandon };
}

/** Returns what a deployment keeps. */
export function contentOf(order: DeployOrder): RevisionContent {
  const { yaml, set } = order;
  return { yaml, ...optionsOf(order), ...(set !== undefined && { set }), state: deployedState };
}

export interface Deployed {
  readonly deployment: Deployment;
  readonly checked: CheckedFlow;
  /** ISO 8601, UTC; undefined: no revision was made. */
  readonly lastModified: string | undefined;
  readonly readyMs: number;
  readonly drain: Draining;
}

/** What becomes of the previous deployment. */
export interface Draining {
  /** The number of runs that it had when it was replaced. */
  readonly draining: number;
  /** Present when deploy() has waited for its end. */
  readonly drained?: number;
  readonly killed?: number;
}

export interface DeployerEvents {
  deployed(deployment: Deployment, durationMs: number): void;
  /** `reported`: the caller logs it. */
  failed(flowId: string, reason: string, reported?: boolean): void;
  /** The flow has a warning that no answer carries: of its load at boot, or of what comes behind an answer. */
  warned(flowId: string, message: string): void;
  stopped(flowId: string): void;
  deleted(flowId: string): void;
}
