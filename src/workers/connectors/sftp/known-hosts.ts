/** Checks the keys of servers against lines of known_hosts (OpenSSH: sshd(8), SSH_KNOWN_HOSTS). */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export interface HostKeyVerdict {
  readonly isKnown: boolean;
  /** Of a key that is not known: what it is, and what to write. */
  readonly problem: string;
}

/** `key`: as the server has sent it. */
export function checkHostKey(knownHosts: string, host: string, port: number, key: Buffer): HostKeyVerdict {
  const names = [port === 22 ? host : `[${host}]:${port}`];
  const type = key.subarray(4, 4 + key.readUInt32BE(0)).toString("latin1");
  const lines = knownHosts
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(/\s+/));
  const ofHost = lines.filter(([first = "", hosts = ""]) =>
    names.some((name) => isFor(first.startsWith("@") ? hosts : first, name)),
  );
  const revoked = ofHost.filter(([first]) => first === "@revoked").some(([, , , text = ""]) => isKey(text, key));
  const isKnown = !revoked && ofHost.some(([first = "", , text = ""]) => !first.startsWith("@") && isKey(text, key));
  const fingerprint = `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
  const others = ofHost.filter(([first = ""]) => !first.startsWith("@")).length;
  const what =
    others > 0 || revoked
      ? "is none of those that knownHosts has for it: another server may have taken its place"
      : "is not known";
  const line = `${names[0]} ${type} ${key.toString("base64")}`;
  return {
    isKnown,
    problem: `the host key ${fingerprint} (${type}) of the server ${what}; if it is the server's, write into knownHosts: ${line}`,
  };
}

function isKey(text: string, key: Buffer): boolean {
  const known = Buffer.from(text, "base64");
  return known.length === key.length && timingSafeEqual(known, key);
}

/** `hosts`: names and patterns with commas, `!` before those that are not meant, or a hash of one name. */
function isFor(hosts: string, name: string): boolean {
  const [, salt, hash] = /^\|1\|([^|]+)\|(.+)$/.exec(hosts) ?? [];
  if (salt !== undefined && hash !== undefined)
    return createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest("base64") === hash;
  let found = false;
  for (const pattern of hosts.split(",")) {
    const isNot = pattern.startsWith("!");
    if (!matches(isNot ? pattern.slice(1) : pattern, name)) continue;
    if (isNot) return false;
    found = true;
  }
  return found;
}

/** `*` is any text, `?` one character. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.toLowerCase().split("*");
  const text = name.toLowerCase();
  const [first = "", ...others] = parts;
  if (!isAt(first, text, 0)) return false;
  let at = first.length;
  for (const [index, part] of others.entries()) {
    const isLast = index === others.length - 1;
    const from = isLast ? Math.max(at, text.length - part.length) : at;
    const place = placeOf(part, text, from);
    if (place < 0) return false;
    at = place + part.length;
  }
  return others.length > 0 ? (others.at(-1) === "" ? true : at === text.length) : at === text.length;
}

function placeOf(part: string, text: string, from: number): number {
  for (let at = from; at + part.length <= text.length; at++) if (isAt(part, text, at)) return at;
  return -1;
}

function isAt(part: string, text: string, at: number): boolean {
  if (at + part.length > text.length) return false;
  return [...part].every((one, index) => one === "?" || one === text[at + index]);
}
