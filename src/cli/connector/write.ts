/** Writes the files of a new connector: all of them, or none. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "../errors.ts";
import type { ConnectorPlan } from "./plan.ts";

/** Throws CommandError when a file cannot be written; what was written before is undone then. */
export function writeConnector(checkout: string, { files, changed }: ConnectorPlan): void {
  const undo: (() => void)[] = [];
  let path = "";
  try {
    for (const file of files) {
      path = file.path;
      const full = join(checkout, path);
      const made = mkdirSync(dirname(full), { recursive: true });
      if (made !== undefined) undo.push(() => rmSync(made, { recursive: true }));
      writeFileSync(full, file.text, { flag: "wx" });
      undo.push(() => rmSync(full));
    }
    for (const { before, after, ...list } of changed) {
      path = list.path;
      const full = join(checkout, path);
      undo.push(() => writeFileSync(full, before));
      writeFileSync(full, after);
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`nothing is written: ${path} cannot be: ${why}`);
  }
}
