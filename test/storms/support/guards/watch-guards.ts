/** Guards of the watch over threads, of who may have them, and of what begins anew. */
import type { Guard } from "./guard.ts";

const limits = ["test/control/supervision/limits.test.ts"];
const memory = ["test/control/supervision/memory.test.ts"];
const priority = ["test/control/supervision/priority.test.ts"];
const anew = ["test/control/begin-anew.test.ts"];

export const watchGuards: readonly Guard[] = [
  {
    name: "CPU time of a run",
    file: "src/control/threads/supervision/thread-watch.ts",
    from: "if (run.cpuMs > limits.runCpuMs) this.#thread.runs.exceed",
    to: "if (run.cpuMs > 1e12) this.#thread.runs.exceed",
    suite: limits,
  },
  {
    name: "a loop that does not turn",
    file: "src/control/threads/supervision/thread-watch.ts",
    from: "if (this.#turns.stillMs >= this.#thread.owner.limits.stuckLoopMs) this.#stuck();",
    to: "",
    suite: limits,
  },
  {
    name: "wall time of a run",
    file: "src/control/threads/supervision/thread-watch.ts",
    from: "else if (run.exceeded === undefined) this.#thread.runs.exceed(slot, run, wallTime());",
    to: "else run.told;",
    suite: ["test/control/threads.test.ts", ...limits],
  },
  {
    name: "a run that never waits hears that it is to stop",
    file: "src/workers/shared-words.ts",
    from: "if (Atomics.load(this.#words, Word.stop) === slot + 1) this.onStop(slot);",
    to: "",
    suite: limits,
  },
  {
    name: "memory of a thread",
    file: "src/control/threads/supervision/memory-watch.ts",
    from: "if (bytes > atOnce * limit) return true;",
    to: "if (bytes > 0) return false;",
    suite: memory,
  },
  {
    name: "garbage is no memory that is used",
    file: "src/control/threads/supervision/memory-watch.ts",
    from: "if (bytes > atOnce * limit) return true;",
    to: "if (bytes > limit) return true;",
    suite: memory,
  },
  {
    name: "who burns CPU time goes below the others",
    file: "src/control/threads/supervision/priority.ts",
    from: "if (!this.demoted && this.#burnedMs >= burningMs) this.demote();",
    to: "if (!this.demoted && this.#burnedMs >= 1e12) this.demote();",
    suite: priority,
  },
  {
    name: "who behaves comes back",
    file: "src/control/threads/supervision/priority.ts",
    from: "else if (this.demoted && this.#behavedMs >= behavingMs) this.#restore();",
    to: "",
    suite: priority,
  },
  {
    name: "what had an effect does not begin anew",
    file: "src/control/threads/line/thread-runs.ts",
    from: "return !hadEffect && !cancelled",
    to: "return !cancelled",
    suite: anew,
  },
  {
    name: "the effect is noted before it is made",
    file: "src/workers/shared-words.ts",
    from: "Atomics.or(this.#words, wordOf(slot), bitOf(slot));",
    to: "",
    suite: ["test/workers/effects.test.ts", ...anew],
  },
  {
    name: "who is to blame does not begin anew",
    file: "src/control/threads/line/thread-runs.ts",
    from: "run !== only && mayBeginAgain(run)",
    to: "mayBeginAgain(run)",
    suite: anew,
  },
  {
    name: "bodies of a thread together have an end",
    file: "src/control/threads/line/thread-runs.ts",
    from: "return bytes === 0 || held === 0 || held + bytes <= most;",
    to: "return bytes === 0 || held === 0 || most > 0;",
    suite: ["test/control/body-admission.test.ts"],
  },
  {
    name: "threads that are busy at the same time have an end",
    file: "src/control/threads/thread-turns.ts",
    from: "if (this.#free > 0) return true;",
    to: "if (this.#places > 0) return true;",
    suite: ["test/control/turns.test.ts"],
  },
  {
    name: "a turn has an end",
    file: "src/control/threads/thread-turns.ts",
    from: "return performance.now() - Math.max(place.since, this.#waitingSince) < this.#turnMs;",
    to: "return true;",
    suite: ["test/control/turns.test.ts"],
  },
];
