/**
 * The options of both ends of a file endpoint (Camel: file.json 4.22). The same URI may be used at both ends, and each
 * end reads its own options.
 */
import type { Slots, Z } from "../../engine/slots.ts";
import { sharedFileOptions } from "./shared-options.ts";

const ownClock = "polls are delay apart, whatever they find: leave it out";
const noRights = "files belong to the runtime's user: leave it out";
const logged = "what goes wrong while files are looked for is logged: leave it out";
const renamed = "files are renamed within one directory tree: leave it out";

/** Options that only the consumer reads, and those that only the producer reads. */
export const fileEnds = {
  consumer: words(
    "delete noop move moveFailed preMove recursive minDepth maxDepth include exclude includeExt excludeExt " +
      "antInclude antExclude antFilterCaseSensitive filterFile filterDirectory includeHiddenFiles " +
      "includeHiddenDirs idempotent idempotentEager idempotentKey idempotentRepository preSort sortBy shuffle maxMessagesPerPoll " +
      "eagerMaxMessagesPerPoll sendEmptyMessageWhenIdle startingDirectoryMustExist directoryMustExist readLock " +
      "readLockCheckInterval readLockTimeout readLockMinLength readLockMinAge initialDelay delay useFixedDelay " +
      "greedy repeatCount",
  ),
  producer: words(
    "fileExist moveExisting tempFileName tempPrefix appendChars allowNullBody eagerDeleteTargetFile " +
      "keepLastModified forceWrites jailStartingDirectory checksumFileAlgorithm checksumWriteFile",
  ),
  /** A step that polls looks when it runs, `delay` apart, and takes one file. */
  unpolled: words("initialDelay useFixedDelay greedy repeatCount maxMessagesPerPoll"),
};

function words(text: string): readonly string[] {
  return text.split(" ");
}

export function fileOptions(z: Z, slots: Slots) {
  const { text, flag, integer, oneOf, idle, refused } = slots;
  return z.object({
    directoryName: text("The directory, below the flow's own: `in/orders`."),
    ...sharedFileOptions(slots),
    delete: flag(
      "Deletes a file when its route has ended well; without this it is moved to `.camel` beside it.",
    ).default(false),
    move: text(
      "Where a file goes when its route has ended well: a directory such as `done`, or a name such as `done/${file:name}.old`.",
    ).optional(),
    includeHiddenFiles: flag("Takes files whose names begin with a dot, too.").default(false),
    includeHiddenDirs: flag("Looks into directories whose names begin with a dot, too.").default(false),
    startingDirectoryMustExist: flag(
      "Says in the log that the directory is missing when the flow starts, and takes nothing.",
    ).default(false),
    directoryMustExist: flag("Says in the log that the directory is missing, whenever it is.").default(false),
    readLock: oneOf(
      ["none", "changed"],
      "With `changed` a file is taken when it has stopped growing; `none` takes it at once.",
    ).default("none"),
    appendChars: text(
      "What is written behind each message with `fileExist: Append`; a line break is `\\n`.",
    ).optional(),
    forceWrites: flag("Waits until the disk has the file.").default(false),
    jailStartingDirectory: flag(
      "Refuses names that lead out of the directory. Nothing is written outside of the flow's own, even with `false`.",
    ).default(true),
    bufferSize: idle(
      (words) => integer(words).refine((bytes) => bytes > 0, "bufferSize is above 0"),
      "files are read and written at once, within messageBodyBytes",
    ),
    localWorkDirectory: refused("files are read at once: leave it out"),
    extendedAttributes: refused(noRights),
    probeContentType: refused("set the header Content-Type in the route", "false"),
    startingDirectoryMustHaveAccess: refused(noRights, "false"),
    chmod: refused(noRights),
    chmodDirectory: refused(noRights),
    autoCreateStepwise: refused("it matters to chmodDirectory only: leave it out", "false"),
    copyAndDeleteOnRenameFail: refused(renamed, "true"),
    renameUsingCopy: refused(renamed, "false"),
    synchronous: refused(
      "files are taken one after another, and written while other runs go on: leave it out",
      "false",
    ),
    backoffMultiplier: refused(ownClock),
    backoffIdleThreshold: refused(ownClock),
    backoffErrorThreshold: refused(ownClock),
    bridgeErrorHandler: refused(logged, "false"),
    exceptionHandler: refused(logged),
    lazyStartProducer: refused("producers are made when the flow is deployed: leave it out", "false"),
  });
}

/** What both files of the disk and those of servers have. */
export type FileOptions = Omit<
  ReturnType<ReturnType<typeof fileOptions>["parse"]>,
  "chmod" | "bridgeErrorHandler" | "backoffMultiplier" | "backoffIdleThreshold" | "backoffErrorThreshold"
>;
