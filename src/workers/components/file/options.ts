/** The options of both ends of a file endpoint (Camel: file.json 4.22); the same URI may stand at both, each end takes what is its own. */
import type { Slots, Z } from "../../engine/slots.ts";

const noBeans = "there are no beans of this kind: leave it out";
const ownClock = "polls are delay apart, whatever they find: leave it out";
const noRights = "files belong to the runtime's user: leave it out";
const noLocks = "files are locked by nobody else here: use readLock=changed for files that are still being written";
const noMarkers = "no marker files are written: leave it out";
const logged = "what goes wrong while files are looked for is logged: leave it out";
const renamed = "files are renamed within one directory tree: leave it out";

/** What only a consumer reads, and what only a producer reads. */
export const fileEnds = {
  consumer: words(
    "delete noop move moveFailed preMove recursive minDepth maxDepth include exclude includeExt excludeExt " +
      "antInclude antExclude antFilterCaseSensitive filterFile filterDirectory includeHiddenFiles " +
      "includeHiddenDirs idempotent idempotentEager idempotentKey preSort sortBy shuffle maxMessagesPerPoll " +
      "eagerMaxMessagesPerPoll sendEmptyMessageWhenIdle startingDirectoryMustExist directoryMustExist readLock " +
      "readLockCheckInterval readLockTimeout readLockMinLength readLockMinAge initialDelay delay useFixedDelay " +
      "greedy repeatCount",
  ),
  producer: words(
    "fileExist moveExisting tempFileName tempPrefix appendChars allowNullBody eagerDeleteTargetFile " +
      "keepLastModified forceWrites jailStartingDirectory checksumFileAlgorithm checksumWriteFile",
  ),
};

function words(text: string): readonly string[] {
  return text.split(" ");
}

export function fileOptions(z: Z, { text, flag, integer, duration, oneOf, idle, refused }: Slots) {
  return z.object({
    directoryName: text(),
    fileName: text().optional(),
    charset: text().optional(),
    doneFileName: text().optional(),
    autoCreate: flag().default(true),
    flatten: flag().default(false),

    delete: flag().default(false),
    noop: flag().default(false),
    move: text().optional(),
    moveFailed: text().optional(),
    preMove: text().optional(),
    recursive: flag().default(false),
    minDepth: integer().default(0),
    maxDepth: integer().default(2_147_483_647),
    include: text().optional(),
    exclude: text().optional(),
    includeExt: text().optional(),
    excludeExt: text().optional(),
    antInclude: text().optional(),
    antExclude: text().optional(),
    antFilterCaseSensitive: flag().default(true),
    filterFile: text().optional(),
    filterDirectory: text().optional(),
    includeHiddenFiles: flag().default(false),
    includeHiddenDirs: flag().default(false),
    idempotent: flag().optional(),
    idempotentEager: flag().default(true),
    idempotentKey: text().optional(),
    preSort: oneOf(["true", "false", "name", "-name", "modified", "-modified", "size", "-size"]).default("false"),
    sortBy: text().optional(),
    shuffle: flag().default(false),
    maxMessagesPerPoll: integer().default(0),
    eagerMaxMessagesPerPoll: flag().default(true),
    sendEmptyMessageWhenIdle: flag().default(false),
    startingDirectoryMustExist: flag().default(false),
    directoryMustExist: flag().default(false),
    readLock: oneOf(["none", "changed"]).default("none"),
    readLockCheckInterval: duration().default(1000),
    readLockTimeout: duration().describe("A file that changes is looked at again in the next poll.").default(10_000),
    readLockMinLength: integer().default(1),
    readLockMinAge: duration().default(0),
    initialDelay: duration().default(1000),
    delay: duration()
      .refine((ms) => ms >= 10, "delay is at least 10 ms")
      .default(500),
    useFixedDelay: flag().default(true),
    greedy: flag().default(false),
    repeatCount: integer().default(0),

    fileExist: oneOf(["Override", "Append", "Fail", "Ignore", "Move", "TryRename"]).default("Override"),
    moveExisting: text().optional(),
    tempFileName: text().optional(),
    tempPrefix: text().optional(),
    appendChars: text().optional(),
    allowNullBody: flag().default(false),
    eagerDeleteTargetFile: flag().default(true),
    keepLastModified: flag().default(false),
    forceWrites: flag().default(false),
    jailStartingDirectory: flag()
      .describe("Nothing is written outside of the flow's directory, even if false.")
      .default(true),
    checksumFileAlgorithm: text().optional(),
    checksumWriteFile: flag().default(true),
    bufferSize: idle(
      (words) => integer(words).refine((bytes) => bytes > 0, "bufferSize is above 0"),
      "files are read and written at once, within messageBodyBytes",
    ),

    antFilter: refused(noBeans),
    filter: refused("write filterFile, include, exclude, antInclude or antExclude"),
    sorter: refused("write sortBy"),
    idempotentRepository: refused(
      "names are kept in memory; for a repository of your own put idempotentConsumer first",
    ),
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
