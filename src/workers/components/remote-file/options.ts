/** Options that endpoints of all servers of files have (Camel: ftp.json, sftp.json 4.22). */

import { consumerNames, consumerOptions, failuresAreLogged } from "../../engine/attended/consumer-options.ts";
import type { Advice } from "../../engine/component.ts";
import type { Slots } from "../../engine/slots.ts";
import { sharedFileOptions } from "../file/shared-options.ts";

const noBeans = "there are no beans of this kind: leave it out";
const ownLimits = "the runtime's limits outboundConnectMs and outboundTotalMs hold";
const reconnecting = "a lost connection is opened again, with growing pauses, as long as the flow runs";

/** Options that only the consumer reads, and those that only the producer reads. */
export const remoteEnds = {
  consumer: words(
    "delete noop move moveFailed preMove recursive minDepth maxDepth include exclude includeExt excludeExt " +
      "antInclude antExclude antFilterCaseSensitive filterFile filterDirectory idempotent idempotentEager idempotentKey " +
      "idempotentRepository preSort sortBy shuffle maxMessagesPerPoll eagerMaxMessagesPerPoll sendEmptyMessageWhenIdle readLock " +
      "readLockCheckInterval readLockTimeout readLockMinLength readLockMinAge download ignoreFileNotFoundOrPermissionError " +
      "initialDelay delay useFixedDelay greedy repeatCount backoffMultiplier backoffIdleThreshold backoffErrorThreshold",
  ).concat(consumerNames),
  producer: words(
    "fileExist moveExisting tempFileName tempPrefix allowNullBody eagerDeleteTargetFile " +
      "keepLastModified jailStartingDirectory checksumFileAlgorithm checksumWriteFile chmod",
  ),
};

/** `move` and `delete` do not keep another consumer from a file that is under way; `preMove` does. */
export function sharedFolderAdvice({
  delete: deletes,
  move,
  preMove,
}: {
  readonly delete: boolean;
  readonly move?: string | undefined;
  readonly preMove?: string | undefined;
}): Advice | undefined {
  if (preMove !== undefined || (move === undefined && !deletes)) return undefined;
  return {
    code: "shared_folder",
    message:
      "a second consumer of this folder, such as another runtime, takes the same files: if there is one, write preMove: taken, so that only the first to move a file takes it",
  };
}

export function words(text: string): readonly string[] {
  return text.split(" ");
}

export function remoteOptions(slots: Slots) {
  const { text, flag, integer, oneOf, only, idle, refused } = slots;
  return {
    host: text(
      "The server and the directory in place of a named connection, such as `shop@files.example.org:2222/in/orders`; an EGRESS_ALLOW rule must name the server.",
    ).optional(),
    port: integer("The port of the server that `host` names, where that has none.").optional(),
    directoryName: text(
      "The directory, below the one in which the user is after the login: `in/orders`. It may stand behind the server in the address, too.",
    ).optional(),
    connection: text(
      "The named connection to the server, such as `#files`. Without it, and without `host`, the default connection of the flow's group.",
    ).optional(),
    username: text("The user at the server that `host` names.").optional(),
    password: text("The password of `username`. Write a secret: `{{secret:NAME}}`.").optional(),
    ...sharedFileOptions(slots),
    delete: flag(
      "Deletes a file when its route has ended well. Without this, `move` or `noop` it stays, and is taken again with each look.",
    ).default(false),
    move: text(
      "Where a file goes when its route has ended well: a directory such as `done`, or a name such as `done/${file:name}.old`.",
    ).optional(),
    readLock: oneOf(
      ["none", "changed", "rename"],
      "With `changed` a file is taken when it has stopped growing, with `rename` when it can be renamed, and back; `none` takes it at once. None of them keeps other consumers of the folder from it: `preMove` does.",
    ).default("none"),
    download: flag("Reads the file; with `false` the message has its headers and no body.").default(true),
    ignoreFileNotFoundOrPermissionError: flag(
      "Takes a directory that is missing, or may not be read, for an empty one; without this the look fails, and is reported.",
    ).default(false),
    jailStartingDirectory: flag(
      "Refuses names that lead out of the directory. Nothing is written outside of the one after the login, even with `false`.",
    ).default(true),
    chmod: text("The rights that a file gets when it is written, such as `640`.")
      .refine((mode) => /^[0-7]{3,4}$/.test(mode), "chmod is written as 640")
      .optional(),
    disconnect: flag("Closes the connection after each operation in place of keeping it for the next.").default(false),
    ...consumerOptions(slots),
    backoffMultiplier: integer(
      "How many looks are left out after `backoffIdleThreshold` looks without files, or `backoffErrorThreshold` that failed; 0: none.",
    ).default(0),
    backoffIdleThreshold: integer("After how many looks without files `backoffMultiplier` applies; 0: never.").default(
      0,
    ),
    backoffErrorThreshold: integer("After how many failed looks `backoffMultiplier` applies; 0: never.").default(0),

    separator: oneOf(
      ["UNIX", "Auto"],
      "What stands between directories: always `/`; a `\\` in a name is one, too.",
    ).optional(),
    streamDownload: idle(flag, "files are read whole, within messageBodyBytes"),
    stepwise: idle(flag, "directories are named by their whole paths"),
    fastExistsCheck: idle(flag, "files are looked for by their names"),
    disconnectOnBatchComplete: idle(flag, "a connection that nobody uses is closed after connectionIdleMs"),
    sendNoop: idle(flag, "a connection that is lost is noticed, and opened again"),
    soTimeout: idle(slots.duration, ownLimits),
    timeout: idle(slots.duration, ownLimits),
    connectTimeout: idle(slots.duration, ownLimits),
    maximumReconnectAttempts: idle(integer, reconnecting),
    reconnectDelay: idle(slots.duration, reconnecting),
    throwExceptionOnConnectFailed: idle(flag, failuresAreLogged),
    bufferSize: idle(integer, "files are read and written whole, within messageBodyBytes"),
    useList: only(true, "write fileName for one file: the directory is listed all the same"),
    localWorkDirectory: refused("files are read whole, within messageBodyBytes: leave it out"),
    lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),
    resumeDownload: only(false, "a file is read from its beginning: leave it out"),
    transferLoggingLevel: refused("watch the trace stream", "DEBUG"),
    transferLoggingIntervalSeconds: refused("watch the trace stream", "5"),
    transferLoggingVerbose: refused("watch the trace stream", "false"),
    handleDirectoryParserAbsoluteResult: refused(noBeans, "false"),
  };
}
