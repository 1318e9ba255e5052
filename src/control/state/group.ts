/**
 * One group in the state thread: its queue of requests, worked off in slices. A slice is one transaction, so that many messages wait for one
 * write to the disk. What changes the database is answered after the commit; what only reads, before it.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Claims } from "./claims.ts";
import { databasePath, failureOf, filesAside, GroupDatabase, isDamage, isFull, setAside } from "./group-database.ts";
import { HeldGroups } from "./held-groups.ts";
import type { KeptRoom } from "./kept-room.ts";
import { type Owner, StateFailure } from "./operations.ts";
import { Again } from "./subject.ts";
import type { StateBounds, SubjectParts } from "./subject-parts.ts";
import { erases, type OpenSubjects, openSubjects, runOperation, tables, writes } from "./subjects.ts";
import type { AnswerKind, NewsKind, Request } from "./wire.ts";
import type { WorkLog } from "./work-report.ts";

/** A slice ends after so many requests, or when they have taken so long: other groups wait meanwhile. */
const sliceRequests = 100;
const sliceMs = 1;
/** How often a group's file is set aside before its damage is taken for that of the disk. */
const mostAside = 3;
/** A problem is over when the group has written without one for so long. */
const wellMs = 5000;

export interface GroupOptions extends Pick<SubjectParts, "failed" | "session" | "dataKeys"> {
  readonly name: string;
  /** undefined: in memory. */
  readonly directory: string | undefined;
  readonly bounds: StateBounds;
  answer(id: number, kind: AnswerKind, value: unknown): void;
  readonly log: WorkLog;
  readonly room: KeptRoom;
  news(kind: NewsKind, message: string, owners?: readonly Owner[]): void;
}

interface OpenFile {
  readonly database: GroupDatabase;
  readonly subjects: OpenSubjects;
}

/** An operation that changes the database and is answered after the commit. */
interface Written {
  readonly request: Request;
  readonly value: unknown;
}

export class Group {
  readonly #options: GroupOptions;
  readonly #claims = new Claims();
  readonly #held = new HeldGroups();
  #waiting: Request[] = [];
  /** What has removed something, and is answered when nothing of that is left in the file. */
  #erasing: Written[] = [];
  /** Something was removed while the file was copied, and is still in it. */
  #isLeft = false;
  #open: OpenFile | undefined;
  /** How many of the waiting requests have a transaction each, since one that they had together has failed. */
  #alone = 0;
  /** The damage of the files that were set aside since the thread has begun, by their new names. */
  readonly #damage = new Map<string, string>();
  #copies = 0;
  /** When the last problem was, in epoch ms; 0: there is none. */
  #failedAt = 0;

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get busy(): boolean {
    return this.#waiting.length > 0 || this.#erases;
  }

  get #erases(): boolean {
    return this.#copies === 0 && (this.#erasing.length > 0 || this.#isLeft);
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  add(request: Request): void {
    this.#waiting.push(request);
  }

  /** Works off a slice of what waits. */
  work(): void {
    if (this.#erases) this.#erase();
    if (this.#waiting.length > 0) this.#workOff();
  }

  #workOff(): void {
    const slice = this.#waiting.splice(0, this.#alone > 0 ? 1 : sliceRequests);
    this.#alone = Math.max(0, this.#alone - 1);
    /** What of the slice is not answered, in its order; what is being worked on is the first. */
    const left = slice;
    const written: Written[] = [];
    try {
      this.#open ??= this.#openFile();
      this.#transact(this.#open, left, written);
      for (const { request, value } of written.splice(0)) {
        this.#isLeft ||= this.#copies > 0 && erases(request.operation);
        if (value instanceof Again) left.push({ ...request, args: value.args });
        else if (erases(request.operation) && this.#copies === 0) this.#erasing.push({ request, value });
        else this.#options.answer(request.id, "", value);
      }
    } catch (error) {
      left.unshift(...written.map(({ request }) => request));
      this.#failed(error, left);
    }
    if (left.length > 0) this.#waiting = [...left, ...this.#waiting];
  }

  /** Takes a part of what was removed out of the file. It is removed whether that succeeds or not; the next removal tries again. */
  #erase(): void {
    try {
      this.#open ??= this.#openFile();
      if (this.#open.database.erase()) return;
      this.#options.room.keep();
    } catch (error) {
      if (isFull(error) && this.#options.room.give()) return;
      this.#noteFailure(failureOf(error));
    }
    this.#isLeft = false;
    for (const { request, value } of this.#erasing.splice(0)) this.#options.answer(request.id, "", value);
  }

  /** Whether the file has to stay open. */
  get isCopied(): boolean {
    return this.#copies > 0;
  }

  /**
   * Copies the file, as of one moment, while the group goes on. What is removed meanwhile leaves the file behind the copy: Node may never end
   * the copy of a file that becomes shorter. Rejects with StateFailure.
   */
  async copy(path: string): Promise<void> {
    while (this.#erases) await nextTurn();
    this.#copies += 1;
    try {
      this.#open ??= this.#openFile();
      await this.#open.database.copy(path);
    } catch (error) {
      throw failureOf(error);
    } finally {
      this.#copies -= 1;
    }
  }

  /** Closes the file, which is opened again with the next request. What messages under way have claimed stays. */
  close(): void {
    const file = this.#open;
    this.#open = undefined;
    file?.database.close();
  }

  /** Takes from `left` what it has answered or put into `written`. Throws with the transaction undone. */
  #transact({ database, subjects }: OpenFile, left: Request[], written: Written[]): void {
    const { each } = subjects;
    const until = performance.now() + sliceMs;
    let begun = false;
    try {
      do {
        const request = left[0] as Request;
        if (!begun && writes(request.operation)) {
          database.begin();
          begun = true;
        }
        this.#run(request, subjects, written);
        left.shift();
      } while (left.length > 0 && performance.now() < until);
      if (!begun) return;
      for (const subject of each) subject.flush?.();
      const began = performance.now();
      database.commit();
      for (const subject of each) subject.committed?.();
      this.#options.log.committed((performance.now() - began) / 1000);
      for (const total of subjects.repositories.changedTotals()) this.#options.log.holds(total);
      this.#well();
    } catch (error) {
      database.rollback();
      for (const subject of each) subject.undone?.();
      throw error;
    }
  }

  /** An operation that refuses what it is asked has changed nothing, so that the others go on. */
  #run(request: Request, subjects: OpenSubjects, written: Written[]): void {
    try {
      const value = runOperation(subjects, request);
      if (writes(request.operation)) written.push({ request, value });
      else this.#options.answer(request.id, "", value);
    } catch (error) {
      if (!(error instanceof StateFailure)) throw error;
      this.#options.answer(request.id, error.code, error.message);
    }
  }

  /** `left`: what is not answered; what stays in it is tried again. */
  #failed(error: unknown, left: Request[]): void {
    if (isDamage(error) && this.#setAside(error)) return;
    const failure = failureOf(error);
    const isOpen = this.#open !== undefined;
    // What makes room on a full disk needs some itself.
    const frees = failure.code === "disk_full" && left.length === 1 && erases(left[0]?.operation ?? "");
    if (frees && this.#options.room.give()) return;
    this.#noteFailure(failure);
    if (failure.code !== "disk_full") this.#closeBroken();
    // Each by itself: what does not fit must not take the others with it.
    if (isOpen && left.length > 1) this.#alone = left.length;
    else for (const { id } of left.splice(0)) this.#options.answer(id, failure.code, failure.message);
  }

  #noteFailure({ code, message }: StateFailure): void {
    this.#failedAt = Date.now();
    this.#options.news(code === "disk_full" ? "full" : "failing", message);
  }

  #openFile(): OpenFile {
    const { directory, name, bounds, failed, session, dataKeys } = this.#options;
    const path = directory === undefined ? undefined : databasePath(directory, name);
    const database = new GroupDatabase(path, tables);
    this.#options.room.keep();
    for (const file of path === undefined ? [] : filesAside(path)) {
      this.#options.news("set_aside", asideMessage(file, this.#damage.get(file)));
    }
    const subjects = openSubjects({
      database,
      claims: this.#claims,
      held: this.#held,
      bounds,
      failed,
      session,
      dataKeys,
    });
    for (const total of subjects.repositories.allTotals()) this.#options.log.holds(total);
    this.#options.news("opened", "", subjects.repositories.owners());
    return { database, subjects };
  }

  /** Gives the damaged file another name, so that the group goes on with a new one. Returns false when that cannot be done. */
  #setAside(error: unknown): boolean {
    const { directory, name } = this.#options;
    if (directory === undefined || this.#damage.size >= mostAside) return false;
    this.#closeBroken();
    try {
      const file = setAside(databasePath(directory, name));
      this.#damage.set(file, error instanceof Error ? error.message : String(error));
      return true;
    } catch {
      return false;
    }
  }

  #closeBroken(): void {
    try {
      this.close();
    } catch {
      // The next request opens it anew.
    }
  }

  #well(): void {
    if (this.#failedAt === 0 || Date.now() - this.#failedAt < wellMs) return;
    this.#failedAt = 0;
    this.#options.news("well", "");
  }
}

/** `damage`: undefined for a file that was set aside before. */
function asideMessage(file: string, damage: string | undefined): string {
  const how = damage === undefined ? "" : ` (${damage})`;
  return `its file was damaged${how} and is ${file} now: what its flows had kept is not known until that file is repaired`;
}
