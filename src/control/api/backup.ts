/** `GET /_api/backup`: streams an archive of all that lasts. */
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { flag } from "./schemas.ts";
import type { Services } from "./services.ts";

const mediaType = "application/x-tar";

export function backupEndpoints({ backups }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/backup",
      action: "runtime.backup",
      name: "getBackup",
      summary:
        "An archive of flows, revisions, mappings, policies, the state of flows and the audit log, for bulkhead restore; without secrets, FILES_DIR and, unless dataKey asks for it, the key of stored messages.",
      head: false,
      query: z.strictObject({
        dataKey: flag
          .describe(
            "Adds DATA_DIR/data.key, which stored messages are encrypted with: readers of the archive can decrypt them.",
          )
          .optional(),
      }),
      answers: { 200: { description: "A tar archive.", content: { [mediaType]: z.string() } } },
      errors: ["not_found", "too_many_in_flight", "lock_lost"],
      handle({ reply, query: { dataKey = false } }) {
        if (backups === undefined)
          throw new AppError("not_found", "there is nothing to back up: this runtime keeps nothing on the disk");
        const { at, archive } = backups.begin(dataKey);
        const stream = Readable.fromWeb(archive as WebStream);
        // An answer that was refused after all, or that its reader has left, ends the backup.
        reply.raw.once("close", () => stream.destroy());
        const name = `bulkhead-backup-${at.toISOString().replaceAll(":", "-")}.tar`;
        reply.type(mediaType).header("Content-Disposition", `attachment; filename="${name}"`);
        return stream;
      },
    }),
  ];
}
