/**
 * Which statements a session keeps prepared, so that the server does not parse and plan them with each message: those without rows, from
 * their fifth use on (the threshold of pgjdbc). The result of a statement with rows may change its columns with the table.
 */
import { createHash } from "node:crypto";

/** Uses of a text before it is prepared. */
const threshold = 5;
/** The most statements that a session keeps, and the most texts whose uses are counted. */
const most = 256;
const mostCounted = 1024;

/** The server does not know the name, or knows it already: a proxy gives the session's transactions to different servers. */
const strangers: ReadonlySet<string> = new Set(["26000", "42P05"]);
/** The text may mean something else now: a column has another type than when it was prepared. */
const outdated = /^(?:42|0A)/;

export class PreparedStatements {
  readonly #uses = new Map<string, number>();
  /** "": the text is not prepared again. */
  readonly #names = new Map<string, string>();
  #isOff = false;

  /** Returns the name that the text is prepared under with its next use, or has been; undefined: it is not. */
  nameOf(text: string): string | undefined {
    return this.#names.get(text) || undefined;
  }

  /** The text was run, and has no rows. */
  used(text: string): void {
    if (this.#isOff || this.#names.size >= most || this.#names.has(text)) return;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.delete(text);
    // The name says the text: behind a proxy other sessions may have prepared theirs at the same server.
    if (uses >= threshold)
      this.#names.set(text, `bulkhead_${createHash("sha256").update(text).digest("hex")}`.slice(0, 60));
    else this.#uses.set(text, uses);
    const [oldest] = this.#uses.keys();
    if (this.#uses.size > mostCounted && oldest !== undefined) this.#uses.delete(oldest);
  }

  /** The text has failed under its name. Returns true when it has to be run without one: outside of a transaction nothing was done. */
  failed(text: string, sqlState: string): boolean {
    if (outdated.test(sqlState)) this.#names.set(text, "");
    if (!strangers.has(sqlState)) return outdated.test(sqlState);
    this.#isOff = true;
    this.#names.clear();
    this.#uses.clear();
    return true;
  }
}
