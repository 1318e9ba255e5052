/** Garbage collection on demand. V8 puts `gc` into contexts that are made while its flag is set; nothing of a flow ever runs in this one. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  return collect;
}
