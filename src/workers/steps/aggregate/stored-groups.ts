/**
 * The groups of an `aggregate` step whose messages are in the state store. They are joined in memory; a message counts when the store has it. The
 * store refuses what does not fit what it has, because another thread of the flow has changed it: then the groups are read anew, and the message is
 * joined again (Camel: RecoverableAggregationRepository).
 */
import { isCredentialHeader } from "../../../shared/http-headers.ts";
import type { GroupAbout, GroupOperation } from "../../../shared/state.ts";
import { asText } from "../../engine/convert.ts";
import { exceptionMessage, exceptionType, FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { StatePort } from "../../engine/flow-state.ts";
import { keepMessage } from "../../engine/kept-message.ts";
import type { Run } from "../../engine/run.ts";
import { after } from "../../engine/waiting.ts";
import type { AggregationGroups, CompleteGroup } from "./groups.ts";
import { keptBytes, type Opened, openGroups } from "./open-groups.ts";
import type { CompletedBy } from "./rules.ts";

export interface StoredParts {
  readonly port: StatePort;
  /** Of the repository. */
  readonly name: string;
  readonly fingerprint: string;
  readonly groups: AggregationGroups;
  /** Reads the messages of groups. */
  readonly open: Omit<Parameters<typeof openGroups>[0], "port" | "name" | "fingerprint">;
  /** Receives completed groups whose steps have to run anew, since the thread that had them is gone. */
  recovered(group: CompleteGroup, takeovers: number): void;
  log(level: "WARN" | "ERROR", message: string): void;
}

/** How often a message is joined anew before it fails. */
const mostAttempts = 20;
/** Groups that could not be read are tried again after this time. */
const retryMs = 2000;

export class StoredGroups {
  readonly #parts: StoredParts;
  /** Changes when the groups in memory are dropped: answers to what was asked before say nothing about the present ones. */
  #epoch = 0;
  #isOpen = false;
  #opening: Promise<void> | undefined;
  #retry: (() => void) | undefined;
  #serving = false;
  #halted = false;
  /** Whether the groups in memory were read when another deployment had them already. */
  #borrowed = false;
  /** Completed groups whose steps this thread runs. */
  readonly #running = new Set<string>();

  constructor(parts: StoredParts) {
    this.#parts = parts;
  }

  /** The step's route serves: groups that are kept go on. */
  begin(): void {
    this.#serving = true;
    this.#halted = false;
    this.#openSoon(0);
  }

  /** The flow ends or is replaced. The groups are kept; a message that comes nevertheless opens them again. */
  halt(drops: boolean): void {
    this.#serving = false;
    this.#halted = true;
    this.#retry?.();
    this.#retry = undefined;
    if (drops) this.#drop();
  }

  /** What the store has was changed by somebody else. */
  forget(): void {
    this.#drop();
    if (this.#serving) this.#openSoon(0);
  }

  /** Resolves with the groups that the message completes when it is durable. */
  async join(key: unknown, exchange: Exchange): Promise<readonly CompleteGroup[]> {
    const { run } = exchange;
    const { groups, fingerprint } = this.#parts;
    const bytes = keepMessage(exchange, { maxBytes: keptBytes(run.limits), without: isCredentialHeader });
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      await this.#ready();
      const { id, before, deadline, joined, complete } = groups.add(key, exchange);
      if (!joined) {
        if (await this.#completeOthers(run, complete, before > 0 ? id : "")) return complete;
        continue;
      }
      const own = complete.find((group) => group.id === id);
      const ends = complete.filter((group) => group !== own).map(endOf);
      const about = {
        group: id,
        key: this.#parts.port.keyOf(asText(key)),
        messages: before,
        deadline,
        by: own?.by ?? "",
      };
      try {
        if (await this.#change(run, "append", { ...about, groups: ends, fingerprint }, bytes)) return complete;
      } catch (error) {
        groups.takenBack();
        throw error;
      }
      groups.takenBack();
    }
    throw new FlowException(
      "org.apache.camel.processor.aggregate.OptimisticLockException",
      `other threads of the flow have changed the groups of '${this.#parts.name}' ${mostAttempts} times while the message was joined`,
    );
  }

  /** Completes all groups. Resolves with none, and logs why, when the store fails: they stay open. */
  async takeAll(by: CompletedBy): Promise<readonly CompleteGroup[]> {
    try {
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        await this.#ready();
        const complete = this.#parts.groups.takeAll(by);
        if (complete.length === 0) return [];
        if (await this.#change(undefined, "complete", { groups: complete.map(endOf) })) return complete;
      }
    } catch (error) {
      this.#parts.log("ERROR", `the groups of '${this.#parts.name}' stay open: ${exceptionMessage(error)}`);
    }
    return [];
  }

  /** Completes the groups that no other deployment has changed. Those stay open, and so do all of them when the store fails, which is logged. */
  async takeOwn(by: CompletedBy): Promise<readonly CompleteGroup[]> {
    if (!this.#isOpen || this.#borrowed) return [];
    const own: CompleteGroup[] = [];
    try {
      for (const group of this.#parts.groups.takeAll(by)) {
        if (await this.#change(undefined, "complete", { groups: [endOf(group)] })) own.push(group);
      }
    } catch (error) {
      this.#parts.log("ERROR", `the groups of '${this.#parts.name}' stay open: ${exceptionMessage(error)}`);
    }
    return own;
  }

  /** A group's time is over. Resolves with false when it is not this thread's to complete, or the store fails. */
  async timedOut(group: CompleteGroup, discard: boolean): Promise<boolean> {
    try {
      if (!(await this.#change(undefined, "complete", { groups: [endOf(group)] }))) return false;
      if (!discard) return true;
      await this.done(group);
    } catch (error) {
      this.#parts.log("ERROR", `a group of '${this.#parts.name}' stays open: ${exceptionMessage(error)}`);
    }
    return false;
  }

  /** The steps of the group have run. If that cannot be stored, they run again when a thread opens the groups. */
  async done({ id }: Pick<CompleteGroup, "id">): Promise<void> {
    const { port, name, log } = this.#parts;
    try {
      await port.askGroups(undefined, "drop", name, { groups: [[id, 0, ""]] });
      this.#running.delete(id);
    } catch (error) {
      log("ERROR", `a group of '${name}' is done, and is run again by the next thread: ${exceptionMessage(error)}`);
    }
  }

  /** The steps of the group have failed: it becomes a failed message. Where that cannot be stored, the group stays. */
  async failed({ id, exchange }: CompleteGroup, error: unknown, run: Run<Exchange> | undefined): Promise<void> {
    const { port, name, log } = this.#parts;
    const { limits, mask } = run ?? exchange.run;
    const wire = { type: exceptionType(error), message: mask(exceptionMessage(error), 4000), stepId: null, line: null };
    try {
      const bytes = keepMessage(exchange, { maxBytes: keptBytes(limits), without: isCredentialHeader });
      await port.askGroups(run, "fail", name, { group: id, error: wire }, bytes);
      this.#running.delete(id);
    } catch (problem) {
      const stays = "cannot become a failed message, and is run again by the next thread";
      log("ERROR", `a group of '${name}' ${stays}: ${exceptionMessage(problem)}`);
    }
  }

  async #completeOthers(run: Run<Exchange>, complete: readonly CompleteGroup[], dropped: string): Promise<boolean> {
    if (complete.length > 0 && !(await this.#change(run, "complete", { groups: complete.map(endOf) }))) return false;
    if (dropped !== "") await this.#change(run, "drop", { groups: [[dropped, 0, ""]] });
    return true;
  }

  /** Resolves with false when the store has refused what does not fit. After that, and after a failure, the groups are read anew. */
  async #change(
    run: Run<Exchange> | undefined,
    operation: GroupOperation,
    about: Partial<GroupAbout>,
    bytes?: Uint8Array,
  ): Promise<boolean> {
    const epoch = this.#epoch;
    try {
      const answer = await this.#parts.port.askGroups(run, operation, this.#parts.name, about, bytes);
      if (answer === "") {
        if (operation !== "drop") for (const [id] of about.groups ?? []) this.#running.add(id);
        if (about.by !== undefined && about.by !== "") this.#running.add(about.group ?? "");
        return true;
      }
      this.#lose(epoch);
      return false;
    } catch (error) {
      this.#lose(epoch);
      throw error;
    }
  }

  #lose(epoch: number): void {
    if (epoch !== this.#epoch) return;
    this.#drop();
    if (this.#serving) this.#openSoon(retryMs);
  }

  #drop(): void {
    this.#epoch += 1;
    this.#isOpen = false;
    this.#parts.groups.clear();
  }

  async #ready(): Promise<void> {
    while (!this.#isOpen) {
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined;
      });
      await this.#opening;
    }
  }

  #openSoon(ms: number): void {
    this.#retry ??= after(Math.max(1, ms), () => {
      this.#retry = undefined;
      this.#ready().catch((error: unknown) => {
        this.#parts.log("ERROR", `the groups of '${this.#parts.name}' wait: ${exceptionMessage(error)}`);
        if (this.#serving) this.#openSoon(retryMs);
      });
    });
  }

  async #open(): Promise<void> {
    const { port, name, fingerprint, groups, open } = this.#parts;
    const epoch = this.#epoch;
    const opened = await openGroups({ port, name, fingerprint, ...open });
    // Completed groups are this thread's in any case: no message can change them any more.
    const complete = opened?.filter(({ id, completed }) => completed !== "" && !this.#running.has(id)) ?? [];
    for (const group of complete) {
      this.#running.add(group.id);
      this.#recover(group);
    }
    if (opened === undefined || epoch !== this.#epoch) return;
    groups.clear();
    for (const { id, key, messages, deadline, completed } of opened) {
      if (completed === "") groups.restore(id, key, messages, deadline);
    }
    this.#isOpen = true;
    this.#borrowed = this.#halted;
  }

  #recover({ id, key, messages, completed, takeovers }: Opened): void {
    const { groups, recovered, log, name } = this.#parts;
    try {
      recovered(groups.restored(id, key, messages, completed as CompletedBy), takeovers);
    } catch (error) {
      log("ERROR", `a completed group of '${name}' cannot be read: ${exceptionMessage(error)}`);
    }
  }
}

function endOf({ id, size, by }: CompleteGroup): readonly [group: string, messages: number, by: string] {
  return [id, size, by];
}
