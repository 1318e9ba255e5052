/** What was picked lately, in this browser. */
import { readKept, writeKept } from "../../ui/kept.ts";

const name = "picker.recent";
const most = 8;

/** Keys of entries, the last one first. */
export function readRecent(): readonly string[] {
  return (readKept(name) ?? "").split(" ").filter(Boolean);
}

export function noteRecent(picked: string): void {
  writeKept(name, [picked, ...readRecent().filter((entry) => entry !== picked)].slice(0, most).join(" "));
}
