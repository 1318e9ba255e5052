/** Tar archives as streams, written and read a file at a time. This is the only file that imports modern-tar. */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createTarDecoder, createTarPacker } from "modern-tar";

export interface ArchiveFile {
  /** Relative, with slashes. */
  readonly path: string;
  /** The exact length of the content. */
  readonly bytes: number;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Adds a file behind the others; resolves with the SHA-256 of its content when the reader has room for it. */
export type AddFile = (file: ArchiveFile) => Promise<string>;

/** How much is hashed before others have a turn of the event loop. */
const turnBytes = 512 * 1024;
const fileMode = 0o600;

/**
 * Returns the archive of what `write` adds. At most 8 MiB wait for a reader; one that goes away, or takes nothing for
 * `stallMs`, rejects the `add` under way. A rejection of `write` ends the archive with that error, before its end.
 */
export function packArchive(
  at: Date,
  write: (add: AddFile) => Promise<void>,
  stallMs: number,
): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const add: AddFile = async ({ path, bytes, content }) => {
    const body = controller.add({ name: path, size: bytes, mtime: at, mode: fileMode, type: "file" }).getWriter();
    const sum = createHash("sha256");
    for await (const chunk of content instanceof Uint8Array ? slices(content) : content) {
      sum.update(chunk);
      await taken(body.write(chunk), stallMs);
      await nextTurn();
    }
    await taken(body.close(), stallMs);
    return sum.digest("hex");
  };
  write(add).then(
    () => controller.finalize(),
    (error: unknown) => controller.error(error),
  );
  return readable;
}

/** Resolves when the reader has room for what was written. */
async function taken(written: Promise<void>, stallMs: number): Promise<void> {
  const stalled = Promise.withResolvers<never>();
  const timer = setTimeout(() => stalled.reject(new Error(`its reader took nothing for ${stallMs} ms`)), stallMs);
  // A reader that has been given up may end the archive later.
  written.catch(() => undefined);
  await Promise.race([written, stalled.promise]).finally(() => clearTimeout(timer));
}

function* slices(content: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < content.length; from += turnBytes) yield content.subarray(from, from + turnBytes);
}

export interface UnpackedFile {
  readonly path: string;
  /** `file`, `directory`, `symlink`, ... */
  readonly type: string;
  readonly bytes: number;
  /** Has to be read to its end before the next file. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Reads an archive. Rejects with an Error for one that is damaged or has no end. */
export async function* unpackArchive(archive: ReadableStream<Uint8Array>): AsyncGenerator<UnpackedFile> {
  for await (const { header, body } of archive.pipeThrough(createTarDecoder({ strict: true })))
    yield { path: header.name, type: header.type ?? "file", bytes: header.size, body };
}
