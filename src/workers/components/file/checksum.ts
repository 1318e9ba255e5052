/** Checksums of what is written (Camel: checksumFileAlgorithm). */
import { createHash } from "node:crypto";

/** Names for `checksumFileAlgorithm`, as in Java and in Camel's documentation. */
const algorithms: Readonly<Record<string, string>> = {
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

/** `SHA-256`, `SHA_256` and `sha256` are equal. Throws for an unknown algorithm. */
export function checksumOf(algorithm: string | undefined): Checksum | undefined {
  if (algorithm === undefined) return undefined;
  const name = algorithm.replaceAll(/[-_/]/g, "").toLowerCase();
  const own = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
  if (own === undefined)
    throw new Error(`checksumFileAlgorithm '${algorithm}' is not one of ${Object.values(algorithms).join(", ")}`);
  return (content) => createHash(own).update(content).digest("hex");
}
