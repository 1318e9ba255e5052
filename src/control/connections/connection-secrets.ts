/** Reads the secrets of a connection, anew for each connection that is opened. */
import type { ConnectionSecrets } from "../../shared/connection.ts";
import type { Secrets } from "../stores/secrets.ts";
import type { ConnectionDocument } from "./connection-document.ts";

/** Rejects with an Error for one that does not exist or cannot be read. */
export async function secretsOf(
  name: string,
  { passwordRef, privateKeyRef, passphraseRef, tls: { certRef, keyRef } = {} }: ConnectionDocument,
  secrets: Pick<Secrets, "ofConnection">,
): Promise<ConnectionSecrets> {
  const read = async (reference: string | undefined): Promise<string | undefined> => {
    if (reference === undefined) return undefined;
    const value = await secrets.ofConnection(reference);
    if (value !== undefined) return value;
    throw new Error(
      `the secret '${reference}' of the connection '${name}' is not there: put its value into SECRETS_DIR/_connections/${reference}`,
    );
  };
  const references = [passwordRef, privateKeyRef, passphraseRef, certRef, keyRef];
  const [password, privateKey, passphrase, cert, key] = await Promise.all(references.map(read));
  return {
    ...(password !== undefined && { password }),
    ...(privateKey !== undefined && { privateKey }),
    ...(passphrase !== undefined && { passphrase }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}
