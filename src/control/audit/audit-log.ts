/**
 * The audit log: append-only files of JSON lines in DATA_DIR/audit, chained by hashes across files and restarts. When
 * `note` resolves, the operating system has the line, and the disk gets it within a second; with `strict` it is on the
 * disk.
 */
import { join } from "node:path";
import { type AuditFile, type AuditFs, auditEnd, auditFileName, auditFiles, nodeAuditFs } from "./audit-files.ts";
import { type AuditEvent, auditLine, chainStart, type Link } from "./audit-line.ts";
import { type AuditPage, type AuditQuery, readAudit } from "./read-audit.ts";

export interface AuditOptions {
  readonly directory: string;
  /** A file is closed before it would become longer. */
  readonly fileBytes: number;
  /** The number of files that are kept; the oldest are deleted first. */
  readonly files: number;
  /** `note` waits for the disk. */
  readonly strict: boolean;
  /** Returns why nothing may be written from now on; undefined: it may. */
  readonly readOnly?: () => string | undefined;
  /** Called once when the log can no longer be written, and once when it can be again. */
  readonly onProblem: (message: string) => void;
  readonly fs?: AuditFs;
}

export interface AuditStatus {
  readonly writable: boolean;
  readonly reason?: string;
}

/** Lines that wait while the disk does not take them; later ones are counted. */
const mostWaiting = 10_000;
const mostAtOnce = 500;
const syncMs = 1000;
const retryMs = 1000;
const mostTorn = 500;

interface Waiting {
  readonly text: string;
  readonly written: () => void;
  readonly failed: (error: Error) => void;
}

export class AuditLog {
  readonly strict: boolean;
  readonly #options: AuditOptions;
  readonly #fs: AuditFs;
  #last: Link = chainStart;
  #file: AuditFile | undefined;
  /** Bytes of whole lines in the file. */
  #bytes = 0;
  /** true: the file may have bytes after `#bytes`, or those may not be on the disk. */
  #uncertain = false;
  #opened = false;
  readonly #waiting: Waiting[] = [];
  /** Lines that are written and not yet synced. */
  #unsynced: Waiting[] = [];
  #lost = 0;
  #problem: string | undefined;
  /** Lines that came before the end of the chain was known: they have no place in it yet. */
  readonly #early: (Pick<Waiting, "written" | "failed"> & { readonly event: AuditEvent; readonly at: string })[] = [];
  #pumping: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: AuditOptions) {
    this.#options = options;
    this.#fs = options.fs ?? nodeAuditFs;
    this.strict = options.strict;
  }

  status(): AuditStatus {
    const reason = this.#sealReason() ?? this.#problem;
    return reason === undefined ? { writable: true } : { writable: false, reason };
  }

  /** Finds the end of the chain. Never rejects: the next line tries again to open a log that cannot be opened. */
  async open(): Promise<void> {
    if (this.#sealReason() !== undefined) return;
    await this.#pump();
  }

  /**
   * Rejects when the line cannot be written now; if there is room it waits and is written later. Callers need not wait.
   */
  note(event: AuditEvent): Promise<void> {
    const synced = this.#add(event);
    synced.catch(() => {});
    return synced;
  }

  /** Rejects with a system error when the directory cannot be read. Lines that wait are written before, if the disk takes them. */
  async read(query: AuditQuery): Promise<AuditPage> {
    await this.#pump();
    return readAudit(this.#options.directory, query, this.#fs);
  }

  /** Writes the lines that wait, if the disk takes them, and closes the file. */
  async close(): Promise<void> {
    await this.#pump();
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#sync().catch(() => {});
    await this.#file?.close().catch(() => {});
    this.#file = undefined;
  }

  #add(event: AuditEvent): Promise<void> {
    const sealed = this.#sealReason();
    if (sealed !== undefined) return Promise.reject(new Error(sealed));
    if (this.#closed) return Promise.reject(new Error("the audit log is closed"));
    if (this.#waiting.length + this.#early.length >= mostWaiting) {
      this.#lost += 1;
      return Promise.reject(new Error(`${mostWaiting} lines wait for the disk`));
    }
    return new Promise((written, failed) => {
      this.#push(event, written, failed);
      void this.#pump();
    });
  }

  #push(event: AuditEvent, written: () => void, failed: (error: Error) => void, at = new Date().toISOString()): void {
    if (!this.#opened) {
      this.#early.push({ event, at, written, failed });
      return;
    }
    const { text, link } = auditLine(event, at, this.#last);
    this.#last = link;
    this.#waiting.push({ text, written, failed });
  }

  #sealReason(): string | undefined {
    return this.#options.readOnly?.();
  }

  #pump(): Promise<void> {
    this.#pumping ??= this.#writeWaiting().finally(() => {
      this.#pumping = undefined;
      // Lines may have come after the last look.
      if (this.#waiting.length > 0 && this.#problem === undefined) void this.#pump();
    });
    return this.#pumping;
  }

  async #writeWaiting(): Promise<void> {
    if (this.#sealReason() !== undefined) return;
    try {
      await this.#prepare();
      while (this.#waiting.length > 0 || this.#lost > 0) {
        if (this.#waiting.length === 0) this.#recordLoss();
        await this.#writeSome();
      }
      this.#reportRecovery();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #prepare(): Promise<void> {
    if (!this.#opened) await this.#find();
    if (!this.#uncertain) return;
    await this.#file?.truncate(this.#bytes);
    this.#uncertain = false;
  }

  /** Cuts off the unfinished line that a crash has left, and records that in a line. */
  async #find(): Promise<void> {
    const { directory } = this.#options;
    await this.#fs.makeDirectory(directory);
    const { last, file, torn, broken } = await auditEnd(directory, this.#fs);
    if (file !== undefined) {
      this.#file = await this.#fs.open(join(directory, file.name));
      this.#bytes = file.bytes;
      if (torn.length > 0) await this.#file.truncate(file.bytes);
    }
    this.#last = last;
    this.#opened = true;
    if (broken !== undefined) this.#recordOwn("audit.restarted", `the chain begins anew: ${broken}`);
    if (torn.length > 0) {
      const shown = Buffer.from(torn.subarray(0, mostTorn)).toString();
      this.#recordOwn("audit.torn", `${torn.length} bytes of a line that was not finished were cut off: ${shown}`);
    }
    for (const { event, at, written, failed } of this.#early.splice(0)) this.#push(event, written, failed, at);
  }

  async #writeSome(): Promise<void> {
    const batch = this.#selectFitting();
    const content = Buffer.from(batch.map(({ text }) => text).join(""));
    const isFull = this.#bytes > 0 && this.#bytes + content.length > this.#options.fileBytes;
    if (this.#file === undefined || isFull) await this.#rotate(batch);
    this.#uncertain = true;
    await this.#file?.append(content);
    this.#uncertain = false;
    this.#bytes += content.length;
    this.#unsynced.push(...this.#waiting.splice(0, batch.length));
    if (this.strict) await this.#sync();
    else {
      for (const { written } of batch) written();
      this.#timer ??= setTimeout(() => this.#syncAndPump(), syncMs).unref();
    }
  }

  /** Returns as many waiting lines as the file has room for, and at least one. */
  #selectFitting(): readonly Waiting[] {
    const { fileBytes } = this.#options;
    const batch: Waiting[] = [];
    let bytes = this.#file === undefined ? 0 : this.#bytes;
    for (const line of this.#waiting.slice(0, mostAtOnce)) {
      bytes += Buffer.byteLength(line.text);
      if (batch.length > 0 && bytes > fileBytes) break;
      batch.push(line);
    }
    return batch;
  }

  async #rotate([first]: readonly Waiting[]): Promise<void> {
    const { directory, files } = this.#options;
    await this.#sync();
    const { seq } = JSON.parse((first as Waiting).text) as { seq: number };
    const next = await this.#fs.open(join(directory, auditFileName(seq)));
    await this.#fs.syncDirectory(directory);
    await this.#file?.close();
    this.#file = next;
    this.#bytes = 0;
    const kept = auditFiles(await this.#fs.names(directory));
    for (const { name } of kept.slice(0, Math.max(0, kept.length - files)))
      await this.#fs.remove(join(directory, name));
  }

  /** Lines may wait since the disk refused them: only when they are written, too, is the log well again. */
  #syncAndPump(): void {
    this.#timer = undefined;
    this.#sync().then(
      () => void this.#pump(),
      (error: unknown) => this.#fail(error),
    );
  }

  async #sync(): Promise<void> {
    const lines = this.#unsynced;
    if (lines.length === 0) return;
    this.#unsynced = [];
    try {
      await this.#file?.sync();
    } catch (error) {
      this.#unsynced = [...lines, ...this.#unsynced];
      throw error;
    }
    for (const { written } of lines) written();
  }

  #fail(error: unknown): void {
    const reason = `the audit log cannot be written: ${codeOf(error)}`;
    if (this.#problem === undefined) this.#options.onProblem(reason);
    this.#problem = reason;
    for (const { failed } of [...this.#waiting, ...this.#unsynced, ...this.#early]) failed(new Error(reason));
    if (!this.#closed) this.#timer ??= setTimeout(() => this.#syncAndPump(), retryMs).unref();
  }

  #reportRecovery(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#options.onProblem("the audit log is written again");
  }

  #recordLoss(): void {
    this.#recordOwn("audit.lost", `${this.#lost} lines found no room while the disk did not take them`);
    this.#lost = 0;
  }

  #recordOwn(action: string, note: string): void {
    const none = { address: null, method: null, path: null, resource: null, status: null, code: null };
    const event = {
      actor: "runtime",
      ...none,
      action,
      before: null,
      after: null,
      durationMs: null,
      requestId: null,
      note,
    };
    this.#push(
      event,
      () => {},
      () => {},
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
}
