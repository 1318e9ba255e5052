/** Private keys of connections, read once: decrypting one keeps the flow's thread for most of a second. */
import ssh2, { type ParsedKey } from "ssh2";

interface Read {
  readonly text: string;
  readonly passphrase: string | undefined;
  readonly key: ParsedKey;
}

/** A thread has few connections with keys, and a secret that has changed makes the old one useless. */
const mostKept = 8;
const kept: Read[] = [];

/** Returns the key, which is kept for the next connection. Throws an Error that says what is wrong with it, or with its passphrase. */
export function readPrivateKey(text: string, passphrase: string | undefined): ParsedKey {
  const known = kept.find((one) => one.text === text && one.passphrase === passphrase);
  if (known !== undefined) return known.key;
  // OpenSSH's format comes as a list of one.
  const [key] = [ssh2.utils.parseKey(text, passphrase)].flat();
  if (key === undefined || key instanceof Error) throw new Error(`Cannot parse privateKey: ${key?.message}`);
  if (!key.isPrivateKey()) throw new Error("Cannot parse privateKey: it is a public key");
  if (kept.unshift({ text, passphrase, key }) > mostKept) kept.pop();
  return key;
}
