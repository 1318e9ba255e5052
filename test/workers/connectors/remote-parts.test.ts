/** Parts of the connections to servers of files that need no server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { RemoteFiles } from "../../../src/workers/components/remote-file/remote-files.ts";
import { type FileClient, RemoteFailure } from "../../../src/workers/connectors/file-client.ts";
import { listedTime } from "../../../src/workers/connectors/ftp/listed-time.ts";
import { inPieces } from "../../../src/workers/connectors/sftp/pieces.ts";
import type { Connection } from "../../../src/workers/engine/connections/connection.ts";

test("times of lists are of this year, or of the last one when they would be in the future", () => {
  const now = new Date("2026-02-10T12:00:00Z");
  const times = ["Feb 10 11:30", "Nov 27 02:51", "Jan  5 2024", "yesterday"].map((text) => listedTime(text, now));
  assert.deepEqual(
    times.map((time) => (time === 0 ? "unknown" : new Date(time).toISOString())),
    ["2026-02-10T11:30:00.000Z", "2025-11-27T02:51:00.000Z", "2024-01-05T00:00:00.000Z", "unknown"],
  );
});

test("a file is read in pieces, also from a server that gives less than it is asked for, up to its end", async () => {
  const size = 1_200_000;
  const read: [number, number][] = [];
  const work = async (at: number, length: number): Promise<number> => {
    const given = Math.max(0, Math.min(length, 10_000, size - at));
    read.push([at, given]);
    return given;
  };
  assert.equal(await inPieces(2_000_000, work), size);
  const bytes = read.filter(([, count]) => count > 0).reduce((sum, [, count]) => sum + count, 0);
  assert.equal(bytes, size);
  assert.equal(await inPieces(0, work), 0);
});

test("ignoreFileNotFoundOrPermissionError takes a directory that may not be read for an empty one", async () => {
  const list = (): Promise<never> => Promise.reject(new RemoteFailure("denied", "EACCES", false));
  const lease = { client: { list }, ended: new AbortController().signal, release() {} };
  const connection = { lend: () => Promise.resolve(lease) } as unknown as Connection<FileClient>;
  const files = (ignoresDenied: boolean): RemoteFiles =>
    new RemoteFiles(connection, { limits: defaultLimits, disconnects: false, ignoresDenied });
  assert.deepEqual(await files(true).list("in", 10), []);
  await assert.rejects(files(false).list("in", 10), /Cannot read directory.*in/);
});
