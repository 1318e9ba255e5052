/** Failed messages as the management API has them: lists, one message for reading, retries and discards. */
import * as z from "zod";
import { AppError } from "../../../shared/errors.ts";
import type { KeptRequest } from "../../../shared/kept.ts";
import type { Limits } from "../../../shared/limits.ts";
import { BodyKind } from "../../../shared/protocol.ts";
import { type CheckPool, readAnswer } from "../../flows/check-pool.ts";
import type { FailedContent, FailedFilter, FailedState, FailedSummary } from "../../state/failed-operations.ts";
import type { Owner } from "../../state/operations.ts";
import type { StateStore } from "../../state/state-store.ts";
import type { GivenMessage, InvokeAnswer } from "../test-sessions/test-service.ts";
import { type Form, isHeadOnly } from "./content.ts";
import { type FailedKeeper, storeError } from "./failed-keeper.ts";
import type { FailedRetries } from "./failed-retries.ts";
import { type FlowOwners, flowsOf } from "./owners.ts";

export interface FailedDocument {
  readonly id: string;
  readonly runId: string;
  readonly flowId: string;
  readonly routeId: string;
  readonly revision: number;
  readonly at: string;
  readonly trigger: Readonly<Record<string, unknown>>;
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly attempts: number;
  readonly count: number;
  readonly bytes: number;
  readonly state: FailedState;
  readonly deadLetter: boolean;
}

export interface FailedDetail extends FailedDocument {
  /** The runs that the message has had, the latest last. */
  readonly runs: readonly string[];
  /** true: the source could not read the body, and the headers alone are kept. */
  readonly headOnly?: true;
  /** null: the message was retried or discarded. */
  readonly message: Readonly<Record<string, unknown>> | null;
}

export interface FailedQuery extends Omit<FailedFilter, "ids"> {
  readonly flowId?: string | undefined;
}

/** Which messages a bulk request is for. */
export interface FailedSelection {
  readonly flowId?: string | undefined;
  readonly routeId?: string | undefined;
  readonly before?: number | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Present: everything, and there must be so many. */
  readonly expect?: number | undefined;
}

export interface FailedServiceParts {
  readonly store: Pick<StateStore, "failed" | "mayHave">;
  readonly owners: FlowOwners;
  readonly keeper: Pick<FailedKeeper, "totals" | "changed">;
  readonly retries: FailedRetries;
  readonly checks: Pick<CheckPool, "task">;
  readonly limits: Limits;
  /** Returns the values of the flow's secrets by name. */
  secrets(flowId: string): Promise<Readonly<Record<string, string>>>;
}

const shownSchema = z.looseObject({});

export class FailedService {
  readonly #parts: FailedServiceParts;

  constructor(parts: FailedServiceParts) {
    this.#parts = parts;
  }

  /** Returns those that match, newest first. */
  async list({ flowId, ...filter }: FailedQuery, limit: number): Promise<readonly FailedDocument[]> {
    const { store } = this.#parts;
    const lists = await Promise.all(
      (await this.#owners(flowId)).map(async (owner) => {
        const found = await answered(store.failed.list(owner, filter, limit));
        return found.map((one) => documentOf(owner.flowId, one));
      }),
    );
    const all = lists.flat().sort((a, b) => (a.at < b.at || (a.at === b.at && a.id < b.id) ? 1 : -1));
    return all.slice(0, limit);
  }

  /** Throws not_found. */
  async get(id: string): Promise<FailedDetail> {
    const { owner, found } = await this.#find(id);
    const isOver = found.state === "retried" || found.state === "discarded";
    const message = isOver ? null : await this.#shown(owner.flowId, found);
    const headOnly = isHeadOnly(found) && { headOnly: true as const };
    return { ...documentOf(owner.flowId, found), runs: found.runs, ...headOnly, message };
  }

  /** See FailedRetries; also throws not_found. */
  async retry(id: string, given: GivenMessage, waits: boolean): Promise<{ readonly runId: string } | InvokeAnswer> {
    const { owner } = await this.#find(id);
    return this.#parts.retries.retry(owner, id, given, waits);
  }

  /** Throws not_found, and not_retryable for a message that does not wait. */
  async discard(id: string): Promise<FailedDocument> {
    const { store, keeper } = this.#parts;
    const { owner, found } = await this.#find(id);
    const discarded = await answered(store.failed.discard(owner, { ids: [id] }));
    keeper.changed(owner.flowId);
    if (discarded === 0)
      throw new AppError("not_retryable", `the message is ${found.state}: only one that waits can be discarded`);
    return documentOf(owner.flowId, { ...found, state: "discarded" });
  }

  /** Retries all that match, at the pace of their flows. Returns how many. Throws not_retryable when one of the flows may not retry yet. */
  async retryMany(selection: FailedSelection): Promise<number> {
    const chosen = await this.#choose(selection);
    for (const { owner } of chosen) this.#parts.retries.refuseHeld(owner.flowId);
    for (const { owner, ids } of chosen) this.#parts.retries.add(owner, ids);
    return chosen.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  async discardMany(selection: FailedSelection): Promise<number> {
    const { store, keeper } = this.#parts;
    let discarded = 0;
    for (const { owner, ids } of await this.#choose(selection)) {
      discarded += await answered(store.failed.discard(owner, { ids }));
      keeper.changed(owner.flowId);
    }
    return discarded;
  }

  /** Throws precondition_failed when there are not as many as expected. */
  async #choose({
    flowId,
    expect,
    ...filter
  }: FailedSelection): Promise<readonly { owner: Owner; ids: readonly string[] }[]> {
    const { store } = this.#parts;
    const chosen = await Promise.all(
      (await this.#owners(flowId)).map(async (owner) => ({
        owner,
        ids: await answered(store.failed.waiting(owner, filter)),
      })),
    );
    const found = chosen.reduce((sum, { ids }) => sum + ids.length, 0);
    if (expect === undefined || expect === found) return chosen.filter(({ ids }) => ids.length > 0);
    throw new AppError("precondition_failed", `${found} failed messages wait, not ${expect}: nothing was done`);
  }

  async #find(id: string): Promise<{ readonly owner: Owner; readonly found: FailedSummary & FailedContent }> {
    const { store, owners } = this.#parts;
    for (const flowId of flowsOf(id, owners.ids())) {
      const owner = await owners.of(flowId);
      const found = owner && (await answered(store.failed.get(owner, id)));
      if (owner !== undefined && found !== undefined) return { owner, found };
    }
    throw new AppError("not_found", `there is no failed message '${id.slice(0, 200)}'`);
  }

  /** The flows that may have kept something; nothing is asked of the others, whose files need not be opened. */
  async #owners(flowId: string | undefined): Promise<Owner[]> {
    const { owners, keeper, store } = this.#parts;
    const mayHave = (id: string): boolean =>
      keeper.totals.get(id) !== undefined || (!keeper.totals.isCounted(id) && store.mayHave(id));
    const ids = [...owners.ids()].filter((id) => (flowId === undefined ? mayHave(id) : id === flowId));
    return (await Promise.all(ids.map((id) => owners.of(id)))).filter((owner) => owner !== undefined);
  }

  async #shown(flowId: string, { form, head, body }: FailedContent): Promise<Readonly<Record<string, unknown>>> {
    const { checks, limits, secrets } = this.#parts;
    const { bodyKind } = JSON.parse(form) as Form;
    const own =
      bodyKind === BodyKind.kept
        ? { headers: "", extra: "" }
        : (JSON.parse(head) as { headers: string; extra: string });
    const request: KeptRequest = {
      ...{ bodyKind, headers: own.headers, extra: own.extra, body },
      secrets: await secrets(flowId),
      recordedBytes: limits.recordedBytes,
    };
    const unshown = (why: string): Readonly<Record<string, unknown>> => ({
      problem: `the message cannot be shown: ${why}`,
    });
    try {
      const result = await checks.task("showKept", request, limits, limits.checkMs);
      return "failed" in result ? unshown(result.failed) : readAnswer(shownSchema, result.answer);
    } catch (error) {
      // The check threads have ended before the runtime.
      if (error instanceof AppError) return unshown(error.message);
      throw error;
    }
  }
}

function documentOf(flowId: string, one: FailedSummary): FailedDocument {
  const error = JSON.parse(one.error) as Readonly<Record<string, unknown>>;
  return {
    id: one.id,
    runId: one.runId,
    flowId,
    routeId: one.routeId,
    revision: one.revision,
    at: new Date(one.at).toISOString(),
    trigger: JSON.parse(one.trigger) as Readonly<Record<string, unknown>>,
    error: one.attempts === 0 ? null : error,
    attempts: one.attempts,
    count: one.count,
    bytes: one.bytes,
    state: one.state,
    deadLetter: one.deadLetter,
  };
}

async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw storeError(error);
  }
}
