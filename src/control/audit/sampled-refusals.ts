/**
 * Refused calls in the audit log: a number of each kind per minute have a line each, and the others are only counted,
 * so that strangers cannot fill the disk.
 */
import type { AuditEvent } from "./audit-line.ts";

const windowMs = 60_000;

interface Window {
  recorded: number;
  more: number;
  readonly end: NodeJS.Timeout;
}

export class SampledRefusals {
  readonly #most: number;
  readonly #note: (event: AuditEvent) => void;
  /** Windows by error code, of which there are few. */
  readonly #windows = new Map<string, Window>();

  constructor(most: number, note: (event: AuditEvent) => void) {
    this.#most = most;
    this.#note = note;
  }

  refused(event: AuditEvent & { readonly code: string }): void {
    const { code } = event;
    let window = this.#windows.get(code);
    if (window === undefined) {
      window = { recorded: 0, more: 0, end: setTimeout(() => this.#close(code), windowMs).unref() };
      this.#windows.set(code, window);
    }
    if (window.recorded < this.#most) {
      window.recorded += 1;
      this.#note(event);
    } else window.more += 1;
  }

  /** Records the calls that have only been counted so far. */
  close(): void {
    for (const code of [...this.#windows.keys()]) this.#close(code);
  }

  #close(code: string): void {
    const window = this.#windows.get(code);
    if (window === undefined) return;
    this.#windows.delete(code);
    clearTimeout(window.end);
    if (window.more === 0) return;
    const none = { address: null, method: null, path: null, resource: null, status: null };
    const unknown = { before: null, after: null, durationMs: null, requestId: null };
    const note = `${window.more} more within ${windowMs / 1000} s`;
    this.#note({ actor: "runtime", ...none, action: "refused.more", code, ...unknown, note });
  }
}
