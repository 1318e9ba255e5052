/** A run in its slot of a thread. */
import type { MappingVersion } from "../../shared/mapping.ts";
import type { Invocation } from "./invocation.ts";
import type { Kill } from "./kill.ts";
import type { RunProgress } from "./run-progress.ts";

export interface ActiveRun {
  readonly invocation: Invocation;
  /** The versions that it sees: a list that all runs of the time share. */
  readonly mappings: readonly MappingVersion[];
  /** The number of the message that took it into the thread, as `Word.turns` counts them. */
  readonly message: number;
  /** Which of its thread's runs it is, from 1 on. */
  readonly ordinal: number;
  /** It was asked to stop, by a message of this number; 0: it was not. */
  cancelled: number;
  /** From when on it is late, in `performance.now()` time: somebody waits for its end. 0: nobody does. */
  cancelledAt: number;
  /** CPU time of its thread that was charged to it, in ms. */
  cpuMs: number;
  /** Its end has been told, and its thread has not answered it yet. */
  told: boolean;
  /** What was recorded of its steps has been told. */
  recorded: boolean;
  /** Failures that its flow handled, as far as they were announced. */
  handled: number;
  /** The limit that it is ended for. */
  exceeded: Kill | undefined;
  /** Of one that was lost with its thread: it may have done something that a second run would do again. */
  hadEffect: boolean;
  /** Of one that was lost with its thread: how far it had come. */
  reached?: RunProgress;
}
