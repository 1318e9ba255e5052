/** The two documents of an archive: what it is, its first file, and what is in it, its last one. */
import * as z from "zod";

/** The version of the archive's form; a runtime refuses a newer one. */
export const archiveFormat = 1;

export const headName = "backup.json";
export const manifestName = "manifest.json";

export const headSchema = z.object({
  format: z.int().positive(),
  /** The version of the runtime that made it. */
  runtime: z.string(),
  /** The version of its data directory. */
  dataVersion: z.int().positive(),
  /** When it was begun. ISO 8601, UTC. */
  at: z.iso.datetime(),
});
export type BackupHead = z.infer<typeof headSchema>;

export const manifestSchema = z.object({
  /** All files but the two documents, in the order of the archive. */
  files: z.array(
    z.object({
      path: z.string(),
      bytes: z.int().nonnegative(),
      /** Lower-case hexadecimal. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  /** What lies where flows and documents do and is not in the archive, with the reason. */
  leftOut: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

/** The most bytes of either document. */
export const mostDocumentBytes = 64 * 1024 * 1024;

/** The files of each store. No NAME is hidden or leads out of its directory. */
const storedFiles = [
  "routes/NAME\\.yaml",
  "data/flows/NAME/(?:head|\\d+)\\.json",
  "data/(?:policies|value-mappings|message-mappings|connections)/NAME\\.(?:document|removed)",
  "data/state/NAME\\.sqlite",
  "data/databases/NAME/NAME\\.sqlite",
  "data/audit/NAME\\.jsonl",
  "data/data\\.key",
];
const name = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}";
const storedPath = new RegExp(`^(?:${storedFiles.join("|").replaceAll("NAME", name)})$`);

/** Whether a store of the runtime would read the file. */
export function isStoredPath(path: string): boolean {
  return storedPath.test(path);
}
