/** The options of files wherever they are, on the disk and on servers (Camel: file.json, ftp.json and sftp.json 4.22). */
import type { Slots } from "../../engine/slots.ts";

const noBeans = "there are no beans of this kind: leave it out";
const ownClock = "polls are delay apart, whatever they find: leave it out";
const noLocks = "files are locked by nobody else here: use readLock=changed for files that are still being written";
const noMarkers = "no marker files are written: leave it out";

export function sharedFileOptions({ text, flag, integer, duration, oneOf, refused }: Slots) {
  return {
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
    noop: flag("Leaves files where they are, and takes each of them once.").default(false),
    moveFailed: text(
      "Where a file goes when its route has failed; without this it stays, and is taken again.",
    ).optional(),
    preMove: text(
      "Where the file is moved before its route begins, written as `move`. When several consumers read one folder, only the first to move a file takes it. When the runtime is killed, a file under way stays there.",
    ).optional(),
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
      "What happens if a file with this name exists: `Override` replaces it, `Append` adds to its end, `Move` moves it away, `Ignore` leaves it unchanged, and with `Fail` the message fails.",
    ).default("Override"),
    moveExisting: text(
      "Where a file goes that is there already, with `fileExist: Move`; written as `move`.",
    ).optional(),
    tempFileName: text("The name that is written first, and renamed when all is there; simple.").optional(),
    tempPrefix: text("What stands before the name while the file is written: `tmp-`.").optional(),
    allowNullBody: flag("Writes an empty file for a body of null; without this it fails.").default(false),
    eagerDeleteTargetFile: flag(
      "With `fileExist: Move`, replaces a file at the place of `moveExisting`; with `false` the message fails then.",
    ).default(true),
    keepLastModified: flag("Gives the file the time of the header CamelFileLastModified.").default(false),
    checksumFileAlgorithm: text(
      "Puts the content's checksum into the header CamelFileChecksum: `sha256`, `md5` and others.",
    ).optional(),
    checksumWriteFile: flag("Writes the checksum into a file beside it as well, named `<name>.<algorithm>`.").default(
      true,
    ),

    antFilter: refused(noBeans),
    filter: refused("write filterFile, include, exclude, antInclude or antExclude"),
    sorter: refused("write sortBy"),
    inProgressRepository: refused(noBeans),
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
    moveExistingFileStrategy: refused(noBeans),
    browseLimit: refused("files cannot be browsed: leave it out", "100"),
    scheduler: refused(ownClock, "none"),
    schedulerProperties: refused(ownClock),
    scheduledExecutorService: refused(ownClock),
    startScheduler: refused("write autoStartup: false at the route", "true"),
    timeUnit: refused("durations say their unit: 5s, 1m", "MILLISECONDS"),
    runLoggingLevel: refused("polls are not logged: leave it out", "TRACE"),
    onCompletionExceptionHandler: refused("what goes wrong when a file is moved is logged: leave it out"),
    exchangePattern: refused("nobody waits for the reply to a file: leave it out", "InOnly"),
  };
}
