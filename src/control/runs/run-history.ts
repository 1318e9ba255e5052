/** The last runs of every route, in memory: at most `runsPerRoute` of each route, and bounded in number and bytes in all. */
import type { Limits } from "../../shared/limits.ts";
import { announceCauses, type MessagePreview } from "../../shared/protocol.ts";
import { lengthOfAttachments } from "../../shared/shown-attachment.ts";
import { bytesOf } from "../threads/kept-step.ts";
import { type RunDetail, type RunDocument, runDetail, runDocument, unknownProgress } from "./run-document.ts";
import type { RunOwner, RunRecord, RunStatus } from "./run-record.ts";
import { RingLengths, RunRing } from "./run-ring.ts";

/** How long the runs of a deleted flow can still be read, in ms. */
export const deletedFlowKeptMs = 600_000;

const announced: ReadonlySet<string> = new Set(announceCauses);

/** The least time between two searches for expired records: a search takes a few milliseconds when the history is full. */
const sweepMs = 1000;

export interface RunQuery {
  readonly routeId?: string | undefined;
  readonly flowId?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** Epoch milliseconds: only runs that started then or later. */
  readonly since?: number | undefined;
  /** Epoch milliseconds: only runs that started earlier. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export class RunHistory {
  readonly #limits: Limits;
  readonly #rings = new Map<string, RunRing>();
  readonly #lengths = new RingLengths();
  /** When the records of a deployment whose flow was deleted expire, in epoch ms. */
  readonly #goesAt = new WeakMap<RunOwner, number>();
  /** The records that have messages of steps, oldest first: these are dropped before any record is. */
  readonly #withSteps = new Set<RunRecord>();
  #sweep: NodeJS.Timeout | undefined;
  #count = 0;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How many records are kept. */
  get count(): number {
    return this.#count;
  }

  /** The estimated memory of all records. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds the record of a run that begins. */
  open(record: RunRecord): void {
    let ring = this.#rings.get(record.routeId);
    if (ring === undefined) {
      ring = new RunRing(record.routeId);
      this.#rings.set(record.routeId, ring);
    }
    const before = ring.length;
    if (before > 0 && before >= this.#limits.runsPerRoute) this.#uncount(ring.shift());
    ring.push(record);
    record.countedBytes = baseBytes;
    this.#count += 1;
    this.#bytes += baseBytes;
    this.#lengths.changed(ring, before);
    this.#shrink();
  }

  /** Counts the bytes of a record that is complete. */
  close(record: RunRecord): void {
    if (record.countedBytes === 0) return;
    const bytes = baseBytes + ownBytes(record);
    this.#bytes += bytes - record.countedBytes;
    record.countedBytes = bytes;
    if (record.steps.length > 0) this.#withSteps.add(record);
    this.#shrink();
  }

  /** Returns the runs that match, newest first. */
  list(query: RunQuery, progressOf = unknownProgress): readonly RunDocument[] {
    const ring = query.routeId === undefined ? undefined : this.#rings.get(query.routeId);
    const rings = query.routeId === undefined ? [...this.#rings.values()] : ring === undefined ? [] : [ring];
    const cursors = rings.map((one) => new Cursor(one, query)).filter(({ record }) => record !== undefined);
    const documents: RunDocument[] = [];
    while (documents.length < query.limit && cursors.length > 0) {
      let newest = 0;
      for (let i = 1; i < cursors.length; i += 1) if (began(cursors[i]) > began(cursors[newest])) newest = i;
      const cursor = cursors[newest];
      if (cursor?.record === undefined) break;
      documents.push(runDocument(cursor.record, progressOf));
      if (cursor.advance() === undefined) cursors.splice(newest, 1);
    }
    return documents;
  }

  /** Yields the records of a route, newest first, including runs under way. */
  *latest(routeId: string): Generator<RunRecord> {
    const ring = this.#rings.get(routeId);
    for (let i = (ring?.length ?? 0) - 1; i >= 0; i -= 1) {
      const record = ring?.at(i);
      if (record !== undefined) yield record;
    }
  }

  get(runId: string, progressOf = unknownProgress): RunDetail | undefined {
    const record = this.find(runId);
    return record && runDetail(record, progressOf);
  }

  /**
   * Finds a record by id. It searches all records, which takes a few milliseconds for 50 000: runs are read far less often than
   * they begin, and an index by id would cost each of them more than everything else in the history.
   */
  find(runId: string): RunRecord | undefined {
    for (const ring of this.#rings.values()) {
      for (let i = ring.length - 1; i >= 0; i -= 1) {
        const record = ring.at(i);
        if (record?.id === runId) return record;
      }
    }
    return undefined;
  }

  /** Returns the runs of the same deployment that began in the thread because of this run, and those that these have caused in turn. */
  announcedBy({ id, owner }: RunRecord): readonly RunRecord[] {
    const byParent = new Map<string, RunRecord[]>();
    for (const record of this.#records()) {
      const { parentRunId, trigger } = record;
      if (parentRunId === null || record.owner !== owner || !announced.has(trigger.kind)) continue;
      const siblings = byParent.get(parentRunId);
      if (siblings === undefined) byParent.set(parentRunId, [record]);
      else siblings.push(record);
    }
    const found: RunRecord[] = [];
    for (let next: readonly string[] = [id]; next.length > 0; ) {
      const children = next.flatMap((parent) => byParent.get(parent) ?? []);
      found.push(...children);
      next = children.map((child) => child.id);
    }
    return found;
  }

  /** Lets the flow's records expire after ten minutes, unless `flowDeployed` is called before. Records of later deployments stay. */
  flowDeleted(flowId: string): void {
    const owners = this.#ownersOf(flowId);
    for (const owner of owners) this.#goesAt.set(owner, Date.now() + deletedFlowKeptMs);
    if (owners.size > 0) this.#sweep ??= setTimeout(() => this.#purge(), deletedFlowKeptMs).unref();
  }

  /** Keeps the records of a deleted flow whose id serves again. */
  flowDeployed(flowId: string): void {
    if (this.#sweep === undefined) return;
    for (const owner of this.#ownersOf(flowId)) this.#goesAt.delete(owner);
  }

  #ownersOf(flowId: string): ReadonlySet<RunOwner> {
    const owners = new Set<RunOwner>();
    for (const { owner } of this.#records()) if (owner.flowId === flowId) owners.add(owner);
    return owners;
  }

  *#records(): IterableIterator<RunRecord> {
    for (const ring of this.#rings.values()) {
      for (let i = 0; i < ring.length; i += 1) {
        const record = ring.at(i);
        if (record !== undefined) yield record;
      }
    }
  }

  #purge(): void {
    const now = Date.now();
    const goesAt = ({ owner }: RunRecord): number => this.#goesAt.get(owner) ?? Number.POSITIVE_INFINITY;
    for (const ring of [...this.#rings.values()]) {
      const before = ring.length;
      for (const record of ring.remove((one) => goesAt(one) <= now)) this.#uncount(record);
      this.#changed(ring, before);
    }
    let next = Number.POSITIVE_INFINITY;
    for (const record of this.#records()) next = Math.min(next, goesAt(record));
    const more = Number.isFinite(next);
    this.#sweep = more ? setTimeout(() => this.#purge(), Math.max(sweepMs, next - now)).unref() : undefined;
  }

  #shrink(): void {
    for (const record of this.#withSteps) {
      if (this.#bytes <= this.#limits.runsTotalBytes) break;
      this.#dropSteps(record);
    }
    while (this.#count > this.#limits.runsTotal || this.#bytes > this.#limits.runsTotalBytes) {
      const ring = this.#lengths.longest();
      if (ring === undefined) return;
      const before = ring.length;
      this.#uncount(ring.shift());
      this.#changed(ring, before);
    }
  }

  #dropSteps(record: RunRecord): void {
    this.#withSteps.delete(record);
    const bytes = bytesOf(record.steps);
    record.steps = [];
    record.stepsDropped = true;
    record.countedBytes -= bytes;
    this.#bytes -= bytes;
  }

  #changed(ring: RunRing, before: number): void {
    this.#lengths.changed(ring, before);
    if (ring.length === 0) this.#rings.delete(ring.routeId);
  }

  #uncount(record: RunRecord | undefined): void {
    if (record === undefined) return;
    this.#withSteps.delete(record);
    this.#count -= 1;
    this.#bytes -= record.countedBytes;
    record.countedBytes = 0;
  }
}

/** Goes through a ring's matching records, newest first. */
class Cursor {
  record: RunRecord | undefined;
  readonly #ring: RunRing;
  readonly #query: RunQuery;
  #index: number;

  constructor(ring: RunRing, query: RunQuery) {
    this.#ring = ring;
    this.#query = query;
    this.#index = ring.length;
    this.advance();
  }

  advance(): RunRecord | undefined {
    do {
      this.#index -= 1;
      this.record = this.#ring.at(this.#index);
    } while (this.record !== undefined && !matches(this.record, this.#query));
    return this.record;
  }
}

function began(cursor: Cursor | undefined): number {
  return cursor?.record?.began ?? Number.NEGATIVE_INFINITY;
}

function matches(record: RunRecord, { flowId, status, since, before }: RunQuery): boolean {
  return (
    (flowId === undefined || record.owner.flowId === flowId) &&
    (status === undefined || record.status === status) &&
    (since === undefined || record.startedAt >= since) &&
    (before === undefined || record.startedAt < before)
  );
}

/** The bytes of a record with its ids, its trigger and its slot: 570 were measured. */
const baseBytes = 640;

/** Returns the bytes of the texts and numbers that a record got from its run; a character counts as two bytes. */
function ownBytes({ timings, error, preview, trigger, steps, collateral, handled }: RunRecord): number {
  let bytes = timings.length * 8 + bytesOf(steps);
  for (const id of collateral) bytes += 2 * id.length;
  for (const { type, message, by, detail } of handled) {
    bytes += 2 * (type.length + message.length + by.length) + bytesOfAnswer(detail);
  }
  // All runs of a webhook share one trigger object; the path of an HTTP trigger may differ with every request.
  if (trigger.kind === "http") bytes += 2 * (trigger.path?.length ?? 0);
  if (error !== null) bytes += 2 * (error.type.length + error.message.length) + bytesOfAnswer(error.detail ?? null);
  return bytes + bytesOfAnswer(preview);
}

function bytesOfAnswer(answer: Pick<MessagePreview, "headers" | "body" | "attachments"> | null): number {
  if (answer === null) return 0;
  let bytes = 2 * (answer.body.length + lengthOfAttachments(answer.attachments));
  for (const [name, value] of Object.entries(answer.headers)) bytes += 2 * (name.length + value.length);
  return bytes;
}
