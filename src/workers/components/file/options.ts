/**
 * The options of both ends of a file endpoint (Camel: file.json 4.22). The same URI may be used at both ends, and each
 * end reads its own options.
 */
import type { Slots, Z } from "../../engine/slots.ts";

const noBeans = "there are no beans of this kind: leave it out";
const ownClock = "polls are delay apart, whatever they find: leave it out";
const noRights = "files belong to the runtime's user: leave it out";
const noLocks = "files are locked by nobody else here: use readLock=changed for files that are still being written";
const noMarkers = "no marker files are written: leave it out";
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

export function fileOptions(z: Z, { text, flag, integer, duration, oneOf, idle, refused }: Slots) {
  return z.object({
    directoryName: text("The directory, below the flow's own: `in/orders`."),
    fileName: text(
      "As a producer the name that is written, such as `${header.id}.json`, by default the header CamelFileName; as a consumer the one name that is read. Simple.",
    ).optional(),
    charset: text(
      "The character set of the file, such as ISO-8859-1; without it UTF-8, and bytes where a file is not UTF-8.",
    ).optional(),
    doneFileName: text(
      "The name of a second, empty file: a consumer waits for it, a producer writes it last. `${file:name}.done` is one for each file.",
    ).optional(),
    autoCreate: flag("Makes the directory when it is missing.").default(true),
    flatten: flag(
      "Leaves the directories out of the name: a consumer in the header CamelFileName, a producer in the path.",
    ).default(false),

    delete: flag(
      "Deletes a file when its route has ended well; without this it is moved to `.camel` beside it.",
    ).default(false),
    noop: flag("Leaves files where they are, and takes each of them once.").default(false),
    move: text(
      "Where a file goes when its route has ended well: a directory such as `done`, or a name such as `done/${file:name}.old`.",
    ).optional(),
    moveFailed: text(
      "Where a file goes when its route has failed; without this it stays, and is taken again.",
    ).optional(),
    preMove: text("Where a file goes before its route begins, written as `move`.").optional(),
    recursive: flag("Looks into directories below, too.").default(false),
    minDepth: integer("Leaves out files above this depth; 1 is the directory itself.").default(0),
    maxDepth: integer("Looks no deeper than this; 1 is the directory itself.").default(2_147_483_647),
    include: text("Which names are taken: a regular expression over the whole name; case does not matter.").optional(),
    exclude: text("Which names are left out, written as `include`.").optional(),
    includeExt: text("Which endings are taken, with commas between them: `txt,csv`.").optional(),
    excludeExt: text("Which endings are left out, with commas between them.").optional(),
    antInclude: text(
      "Which paths are taken, with commas between them: `*` stands for a part of a name, `**` for directories, as in `**/*.csv`.",
    ).optional(),
    antExclude: text("Which paths are left out, written as `antInclude`.").optional(),
    antFilterCaseSensitive: flag("Distinguishes upper and lower case in `antInclude` and `antExclude`.").default(true),
    filterFile: text("Takes only files for which this holds; a condition in simple: `${file:size} < 5000`.").optional(),
    filterDirectory: text("Looks only into directories for which this holds; a condition in simple.").optional(),
    includeHiddenFiles: flag("Takes files whose names begin with a dot, too.").default(false),
    includeHiddenDirs: flag("Looks into directories whose names begin with a dot, too.").default(false),
    idempotent: flag(
      "Takes each file once, also after a redeploy or a restart; with `noop` true by default.",
    ).optional(),
    idempotentEager: flag("Remembers a file before its route begins; with `false` when it has ended well.").default(
      true,
    ),
    idempotentKey: text(
      "By what a file is known again; simple. By default its path: `${file:name}-${file:size}` takes a changed one again.",
    ).optional(),
    idempotentRepository: text(
      "Where the keys of files are remembered: a bean such as `#seen`. Without it in the state store, under `file:` and the route's id.",
    ).optional(),
    preSort: oneOf(
      ["true", "false", "name", "-name", "modified", "-modified", "size", "-size"],
      "In which order a directory is read; with `maxMessagesPerPoll` this says which files are taken. `-` turns it around, `true` is by name.",
    ).default("false"),
    sortBy: text(
      "In which order the files that were found are taken: `file:modified`, or `reverse:file:size;ignoreCase:file:name`.",
    ).optional(),
    shuffle: flag("Takes files in an order by chance.").default(false),
    maxMessagesPerPoll: integer("How many files one look takes; 0: all.").default(0),
    eagerMaxMessagesPerPoll: flag(
      "Stops reading the directory at `maxMessagesPerPoll`; with `false` all files are found and sorted first.",
    ).default(true),
    sendEmptyMessageWhenIdle: flag("Runs the route with a null body when no file was found.").default(false),
    startingDirectoryMustExist: flag(
      "Says in the log that the directory is missing when the flow starts, and takes nothing.",
    ).default(false),
    directoryMustExist: flag("Says in the log that the directory is missing, whenever it is.").default(false),
    readLock: oneOf(
      ["none", "changed"],
      "With `changed` a file is taken when it has stopped growing; `none` takes it at once.",
    ).default("none"),
    readLockCheckInterval: duration("How long a file must stay as it is, with `readLock: changed`.").default(1000),
    readLockTimeout: duration(
      "Must be above `readLockCheckInterval`; a file that still changes is looked at again in the next poll.",
    ).default(10_000),
    readLockMinLength: integer(
      "How many bytes a file must have, with `readLock: changed`; 0 takes empty ones, too.",
    ).default(1),
    readLockMinAge: duration(
      "How old a file's last change must be, with `readLock: changed`; it is then taken at the first look.",
    ).default(0),
    initialDelay: duration("How long after the start of the flow it looks first.").default(1000),
    delay: duration("The time between two looks, at least 10 ms.")
      .refine((ms) => ms >= 10, "delay is at least 10 ms")
      .default(500),
    useFixedDelay: flag("Counts the time from the end of a look; with `false` from its beginning.").default(true),
    greedy: flag("Looks again at once when files were found.").default(false),
    repeatCount: integer("How often it looks; 0: without an end.").default(0),

    fileExist: oneOf(
      ["Override", "Append", "Fail", "Ignore", "Move", "TryRename"],
      "What is done with a file of this name that is there: it is replaced, written behind (`Append`), moved (`Move`) or kept (`Ignore`), or the message fails (`Fail`).",
    ).default("Override"),
    moveExisting: text(
      "Where a file goes that is there already, with `fileExist: Move`; written as `move`.",
    ).optional(),
    tempFileName: text("The name that is written first, and renamed when all is there; simple.").optional(),
    tempPrefix: text("What stands before the name while the file is written: `tmp-`.").optional(),
    appendChars: text(
      "What is written behind each message with `fileExist: Append`; a line break is `\\n`.",
    ).optional(),
    allowNullBody: flag("Writes an empty file for a body of null; without this it fails.").default(false),
    eagerDeleteTargetFile: flag(
      "With `fileExist: Move`, replaces a file at the place of `moveExisting`; with `false` the message fails then.",
    ).default(true),
    keepLastModified: flag("Gives the file the time of the header CamelFileLastModified.").default(false),
    forceWrites: flag("Waits until the disk has the file.").default(false),
    jailStartingDirectory: flag(
      "Refuses names that lead out of the directory. Nothing is written outside of the flow's own, even with `false`.",
    ).default(true),
    checksumFileAlgorithm: text(
      "Puts the content's checksum into the header CamelFileChecksum: `sha256`, `md5` and others.",
    ).optional(),
    checksumWriteFile: flag("Writes the checksum into a file beside it as well, named `<name>.<algorithm>`.").default(
      true,
    ),
    bufferSize: idle(
      (words) => integer(words).refine((bytes) => bytes > 0, "bufferSize is above 0"),
      "files are read and written at once, within messageBodyBytes",
    ),

    antFilter: refused(noBeans),
    filter: refused("write filterFile, include, exclude, antInclude or antExclude"),
    sorter: refused("write sortBy"),
    inProgressRepository: refused(noBeans),
    localWorkDirectory: refused("files are read at once: leave it out"),
    processStrategy: refused(noBeans),
    pollStrategy: refused(noBeans),
    exclusiveReadLockStrategy: refused(noLocks),
    readLockMarkerFile: refused(noMarkers, "false"),
    readLockDeleteOrphanLockFiles: refused(noMarkers, "true"),
    readLockLoggingLevel: refused("files that still change are not logged: leave it out", "DEBUG"),
    readLockRemoveOnCommit: refused(noLocks, "false"),
    readLockRemoveOnRollback: refused(noLocks, "true"),
    readLockIdempotentReleaseAsync: refused(noLocks, "false"),
    readLockIdempotentReleaseAsyncPoolSize: refused(noLocks),
    readLockIdempotentReleaseDelay: refused(noLocks),
    readLockIdempotentReleaseExecutorService: refused(noLocks),
    extendedAttributes: refused(noRights),
    probeContentType: refused("set the header Content-Type in the route", "false"),
    startingDirectoryMustHaveAccess: refused(noRights, "false"),
    chmod: refused(noRights),
    chmodDirectory: refused(noRights),
    autoCreateStepwise: refused("it matters to chmodDirectory only: leave it out", "false"),
    moveExistingFileStrategy: refused(noBeans),
    copyAndDeleteOnRenameFail: refused(renamed, "true"),
    renameUsingCopy: refused(renamed, "false"),
    browseLimit: refused("files cannot be browsed: leave it out", "100"),
    synchronous: refused(
      "files are taken one after another, and written while other runs go on: leave it out",
      "false",
    ),
    backoffMultiplier: refused(ownClock),
    backoffIdleThreshold: refused(ownClock),
    backoffErrorThreshold: refused(ownClock),
    scheduler: refused(ownClock, "none"),
    schedulerProperties: refused(ownClock),
    scheduledExecutorService: refused(ownClock),
    startScheduler: refused("write autoStartup: false at the route", "true"),
    timeUnit: refused("durations say their unit: 5s, 1m", "MILLISECONDS"),
    runLoggingLevel: refused("polls are not logged: leave it out", "TRACE"),
    bridgeErrorHandler: refused(logged, "false"),
    exceptionHandler: refused(logged),
    onCompletionExceptionHandler: refused("what goes wrong when a file is moved is logged: leave it out"),
    exchangePattern: refused("nobody waits for the reply to a file: leave it out", "InOnly"),
    lazyStartProducer: refused("producers are made when the flow is deployed: leave it out", "false"),
  });
}

export type FileOptions = ReturnType<ReturnType<typeof fileOptions>["parse"]>;
