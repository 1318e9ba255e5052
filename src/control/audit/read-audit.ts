/** Reads the audit log, newest line first: some lines at a time, and a bounded part of the files for each answer. */
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { type AuditFs, auditFiles, nodeAuditFs } from "./audit-files.ts";
import { type AuditEntry, type Link, readLine } from "./audit-line.ts";
import { type BytesRead, lastLines, mostLineBytes, placeOf, wholeLines } from "./last-lines.ts";

export interface AuditQuery {
  /** How many lines at most. */
  readonly limit: number;
  /** Only lines with a smaller number. */
  readonly before?: number | undefined;
  /** Epoch ms. Reading ends at the first line from before it. */
  readonly since?: number | undefined;
  readonly action?: string | undefined;
  /** The resource itself, and what is in it: `orders` is the resource of `orders/seen`, too. */
  readonly resource?: string | undefined;
  /** The runtime's own lines have none. */
  readonly outcome?: AuditOutcome | undefined;
}

export const auditOutcomes = ["succeeded", "failed"] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The value of `before` for the lines before those that were read; null: there are none. */
  readonly next: number | null;
  /** What could not be read, and where the chain is broken, as far as it was read. */
  readonly problems: readonly string[];
}

/** What is read for an answer. It has about 20 000 lines. */
const mostBytes = 8 * 1024 * 1024;
const mostProblems = 20;

/** Rejects with a system error when the directory cannot be read; without a directory there are no lines. */
export async function readAudit(directory: string, query: AuditQuery, fs: AuditFs = nodeAuditFs): Promise<AuditPage> {
  const names = await fs.names(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const files = auditFiles(names).toReversed();
  const page = new Page(query, files.at(-1)?.first);
  for (const { name, first } of files) {
    if (page.isOver) break;
    if (query.before !== undefined && first >= query.before) continue;
    const file = await fs.openToRead(join(directory, name)).catch((error: NodeJS.ErrnoException) => {
      // It was rotated away meanwhile.
      if (error.code !== "ENOENT") page.failed(name, error);
      return undefined;
    });
    if (file === undefined) continue;
    try {
      await page.readFile(file, name, first);
    } catch (error) {
      page.failed(name, error);
    } finally {
      await file.close();
    }
  }
  return page.result();
}

class Page {
  readonly #query: AuditQuery;
  /** The number of the first line that is kept. */
  readonly #oldest: number | undefined;
  readonly #entries: AuditEntry[] = [];
  readonly #problems = new Set<string>();
  readonly #read: BytesRead = { bytes: 0 };
  /** Absent: everything was read. */
  #next: number | undefined;
  /** The line behind the one that is read. */
  #newer: (Link & { readonly prev: string }) | undefined;
  isOver = false;

  constructor(query: AuditQuery, oldest: number | undefined) {
    this.#query = query;
    this.#oldest = oldest;
  }

  async readFile(file: FileHandle, name: string, first: number): Promise<void> {
    const { before } = this.#query;
    const whole = await wholeLines(file, mostLineBytes);
    const end = before === undefined ? whole : await placeOf(file, whole, before);
    for await (const text of lastLines(file, end, this.#read)) {
      this.#take(text, name);
      if (!this.isOver && this.#read.bytes > mostBytes) this.#stop(this.#newer?.seq ?? first);
      if (this.isOver) return;
    }
  }

  failed(name: string, error: unknown): void {
    const why = error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
    this.#problem(why.startsWith(name) ? why : `${name} cannot be read: ${why}`);
    this.#newer = undefined;
  }

  result(): AuditPage {
    const isLast = this.#next === undefined || this.#next === this.#oldest;
    return { entries: this.#entries, next: isLast ? null : (this.#next ?? null), problems: [...this.#problems] };
  }

  #take(text: string, name: string): void {
    const line = readLine(text);
    if (line.problem !== undefined) {
      const where = this.#newer === undefined ? "its last line" : `the line before line ${this.#newer.seq}`;
      this.#problem(`${name}, ${where}: ${line.problem}`);
      return;
    }
    const { entry } = line;
    if (this.#query.before !== undefined && entry.seq >= this.#query.before) return;
    this.#compare(entry);
    this.#newer = entry;
    if (this.#query.since !== undefined && Date.parse(entry.at) < this.#query.since) this.isOver = true;
    else if (fits(entry, this.#query)) {
      this.#entries.push(entry);
      if (this.#entries.length === this.#query.limit) this.#stop(entry.seq);
    }
  }

  #stop(next: number): void {
    this.#next = next;
    this.isOver = true;
  }

  /** Compares a line with the one behind it. */
  #compare({ seq, hash }: AuditEntry): void {
    const newer = this.#newer;
    if (newer === undefined || (newer.seq === seq + 1 && newer.prev === hash)) return;
    this.#problem(`the chain is broken between line ${seq} and line ${newer.seq}`);
  }

  #problem(message: string): void {
    if (this.#problems.size < mostProblems) this.#problems.add(message);
  }
}

function fits({ action, resource, status, code }: AuditEntry, query: AuditQuery): boolean {
  if (query.action !== undefined && action !== query.action) return false;
  if (query.resource !== undefined && resource !== query.resource && !resource?.startsWith(`${query.resource}/`))
    return false;
  if (query.outcome === undefined) return true;
  return query.outcome === "failed" ? code !== null : status !== null && code === null;
}
