/** The lines of the audit log that were read so far: page after page, newest first. */
import { orThrow } from "../../../../../src/client/client.ts";
import { runtimeOf, type Schemas } from "../../api/runtime.ts";
import { createStore, type Store } from "../../ui/store.ts";
import type { AuditRequest } from "./audit-filter.ts";

export interface AuditLines {
  readonly entries: readonly Schemas["AuditEntry"][];
  /** null: there are no earlier lines; undefined: nothing was read yet. */
  readonly next: number | null | undefined;
  readonly problems: readonly string[];
  readonly isLoading: boolean;
  /** Why the last page could not be read. */
  readonly error: unknown;
}

const none: AuditLines = { entries: [], next: undefined, problems: [], isLoading: false, error: undefined };
const limit = 100;

export class AuditPages {
  readonly lines: Store<AuditLines> = createStore(none);
  readonly #target: string;
  readonly #request: AuditRequest;
  #abort = new AbortController();

  constructor(target: string, request: AuditRequest) {
    this.#target = target;
    this.#request = request;
  }

  /** Reads the newest lines, in place of those that were read. */
  async begin(): Promise<void> {
    this.end();
    this.#abort = new AbortController();
    this.lines.set((before) => ({ ...before, isLoading: false }));
    await this.#read(undefined);
  }

  /** Reads the lines before those that were read. */
  async more(): Promise<void> {
    const { next, isLoading } = this.lines.get();
    if (typeof next === "number" && !isLoading) await this.#read(next);
  }

  /** What is being read is not waited for. */
  end(): void {
    this.#abort.abort();
  }

  async #read(before: number | undefined): Promise<void> {
    const { signal } = this.#abort;
    this.lines.set((now) => ({ ...now, isLoading: true, error: undefined }));
    const query = { ...this.#request, limit, ...(before !== undefined && { before }) };
    try {
      const page = await orThrow(runtimeOf(this.#target).GET("/_api/audit", { params: { query }, signal }));
      if (signal.aborted) return;
      this.lines.set((now) => ({
        entries: before === undefined ? page.entries : [...now.entries, ...page.entries],
        next: page.next,
        problems: [...new Set([...(before === undefined ? [] : now.problems), ...page.problems])],
        isLoading: false,
        error: undefined,
      }));
    } catch (error) {
      if (!signal.aborted) this.lines.set((now) => ({ ...now, isLoading: false, error }));
    }
  }
}
