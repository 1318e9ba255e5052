/** The hash by which a flow's text is known. */
import { hash } from "node:crypto";

/** Lower-case hexadecimal SHA-256; of a string, that of its UTF-8 bytes. */
export function contentHash(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}
