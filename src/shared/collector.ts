/**
 * Garbage collection on demand; `thorough` gives back to the system what it can of the heap's pages as well, in ten times as long. V8 puts `gc` into contexts that are made while its flag is set; nothing of a flow ever runs in this one.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export type Collect = (thorough?: boolean) => void;

export function collector(): Collect {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (how?: object) => void;
  setFlagsFromString("--no-expose-gc");
  return (thorough = false) => {
    if (thorough) collect({ type: "major", execution: "sync", flavor: "last-resort" });
    else collect();
  };
}
