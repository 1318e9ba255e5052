/** Handles an existing file of the name that is to be written (Camel: GenericFileExist). */
import { basename, dirname } from "node:path";
import { blankExchange } from "../../engine/blank-exchange.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { refusal, shortPath } from "./failure.ts";
import type { Files } from "./file-system.ts";
import { moveTarget } from "./headers.ts";
import type { FileOptions } from "./options.ts";

/** Resolves false when the message must not be written. */
export type Existing = (files: Files, path: string) => Promise<boolean>;

type ExistingOptions = Pick<
  FileOptions,
  "fileExist" | "moveExisting" | "eagerDeleteTargetFile" | "tempFileName" | "tempPrefix"
>;

/** Throws for options that contradict each other. */
export function existingFile(options: ExistingOptions, context: ProducerContext): Existing {
  const { fileExist, moveExisting, tempFileName, tempPrefix } = options;
  if (fileExist === "Append" && (tempFileName ?? tempPrefix) !== undefined) {
    throw new Error("You cannot set both fileExist=Append and tempPrefix/tempFileName options");
  }
  if (fileExist === "Move" && moveExisting === undefined) {
    throw new Error("You must configure moveExisting option when fileExist=Move");
  }
  if (fileExist !== "Move" && moveExisting !== undefined) {
    throw new Error("You must configure fileExist=Move when moveExisting has been set");
  }
  const move = fileExist === "Move" ? mover(options, context) : undefined;
  return async ({ area, system }, path) => {
    if (fileExist === "Ignore") return false;
    if (fileExist === "Fail") {
      throw refusal(`File already exist: ${shortPath(area.shown(path))}. Cannot write new file.`);
    }
    await move?.({ area, system }, path);
    return true;
  };
}

/**
 * Camel: GenericFileDefaultMoveExistingFileStrategy, with its names: `${file:name}` is the whole path, relative to the
 * area.
 */
function mover({ moveExisting, eagerDeleteTargetFile }: ExistingOptions, context: ProducerContext) {
  const named = moveTarget(moveExisting, context);
  return async ({ area, system }: Files, path: string): Promise<void> => {
    const shown = area.shown(path);
    const parent = area.shown(dirname(path));
    const exchange = blankExchange(context.limits);
    const { headers } = exchange.message;
    headers.receive("CamelFileName", shown);
    headers.receive("CamelFileNameOnly", basename(path));
    headers.receive("CamelFileParent", parent);
    const name = named?.(exchange) ?? "";
    if (name === "")
      throw refusal(`moveExisting evaluated as empty String, cannot move existing file: ${shortPath(shown)}`);
    const whole = name.length > 1 && name.endsWith("/") ? name + basename(path) : name;
    const beside = whole.startsWith("/") || (parent !== "" && whole.startsWith(parent)) ? whole : `${parent}/${whole}`;
    const to = area.anywhere(`/${beside}`);
    if (!eagerDeleteTargetFile && (await system.stat(to)) !== undefined) {
      const there = shortPath(area.shown(to));
      throw refusal(
        `Cannot move existing file from: ${shortPath(shown)} to: ${there} as there already exists a file: ${there}`,
      );
    }
    await system.move(path, to);
  };
}
