/** `checksumFileAlgorithm`: names of algorithms as Java and as Camel's documentation have them. */
import { createHash } from "node:crypto";

const known: Readonly<Record<string, string>> = {
  md5: "md5",
  sha1: "sha1",
  sha: "sha1",
  sha224: "sha224",
  sha256: "sha256",
  sha384: "sha384",
  sha512: "sha512",
  sha512224: "sha512-224",
  sha512256: "sha512-256",
  sha3224: "sha3-224",
  sha3256: "sha3-256",
  sha3384: "sha3-384",
  sha3512: "sha3-512",
};

export type Checksum = (content: Uint8Array) => string;

/** `SHA-256`, `SHA_256` and `sha256` are one. Throws for an algorithm that is not there. */
export function checksumOf(algorithm: string | undefined): Checksum | undefined {
  if (algorithm === undefined) return undefined;
  const name = algorithm.replaceAll(/[-_/]/g, "").toLowerCase();
  const own = Object.hasOwn(known, name) ? known[name] : undefined;
  if (own === undefined)
    throw new Error(`checksumFileAlgorithm '${algorithm}' is not one of ${Object.values(known).join(", ")}`);
  return (content) => createHash(own).update(content).digest("hex");
}
