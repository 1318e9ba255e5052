/** Decrypts private keys once: it takes up to a second of the thread, which each connection would take anew. */
import { createHash } from "node:crypto";
import ssh2, { type ParsedKey } from "ssh2";

const mostKeys = 32;
const keys = new Map<string, ParsedKey>();

/** Returns the key as it came when it cannot be read: the connection reports why. */
export function readPrivateKey(text: string, passphrase: string | undefined): ParsedKey | string {
  if (passphrase === undefined) return text;
  const id = createHash("sha256")
    .update(JSON.stringify([text, passphrase]))
    .digest("base64");
  const known = keys.get(id);
  if (known !== undefined) return known;
  const key = ssh2.utils.parseKey(text, passphrase);
  if (key instanceof Error) return text;
  if (keys.size >= mostKeys) keys.clear();
  keys.set(id, key);
  return key;
}
