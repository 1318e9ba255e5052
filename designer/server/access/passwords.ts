/** Password hashes: scrypt (RFC 7914), written as `$scrypt$ln=17,r=8,p=1$<salt>$<hash>` in base64 without padding. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { limits } from "../limits.ts";
import { Refused } from "../refused.ts";

/** What OWASP recommends: 128 MiB, and some tenths of a second. */
const standard = { ln: 17, r: 8, p: 1 };
const grammar = /^\$scrypt\$ln=(\d{2}),r=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

export interface PasswordHash {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** Returns why a text is not a hash; undefined when it is one. */
export function hashProblem(text: string): string | undefined {
  const hash = parse(text);
  if (hash === undefined) return "it is not a hash of 'bulkhead designer hash-password'";
  if (hash.ln < 14 || hash.ln > 18 || hash.r !== 8 || hash.p < 1 || hash.p > 4)
    return "its cost is out of bounds (ln 14 to 18, r 8, p 1 to 4): make it with 'bulkhead designer hash-password'";
  return undefined;
}

/** @param text that has no `hashProblem` */
export function readHash(text: string): PasswordHash {
  return parse(text) as PasswordHash;
}

export async function hashPassword(password: string, { ln, r, p } = standard): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, { ln, r, p, salt, key: Buffer.alloc(32) });
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(key)}`;
}

let checking = 0;
const waiting: (() => void)[] = [];

/** Takes the same time whether the password is right or not. Throws Refused while too many are being checked. */
export async function isPassword(password: string, hash: PasswordHash): Promise<boolean> {
  if (waiting.length >= limits.passwordsWaiting)
    throw new Refused(429, "too many people log in at this moment: try again in some seconds", {
      headers: { "Retry-After": "5" },
    });
  if (checking >= limits.passwordChecks) await new Promise<void>((resolve) => waiting.push(resolve));
  else checking += 1;
  try {
    return timingSafeEqual(await derive(password, hash), hash.key);
  } finally {
    const next = waiting.shift();
    if (next === undefined) checking -= 1;
    else next();
  }
}

function derive(password: string, { ln, r, p, salt, key }: PasswordHash): Promise<Buffer> {
  const cost: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, key.length, cost, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    );
  });
}

function parse(text: string): PasswordHash | undefined {
  const [, ln, r, p, salt = "", key = ""] = grammar.exec(text) ?? [];
  if (ln === undefined) return undefined;
  return {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, "base64"),
    key: Buffer.from(key, "base64"),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
