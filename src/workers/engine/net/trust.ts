/** Whether the reason of a failed connection is that OpenSSL does not know who has signed the server's certificate. */
export function isUntrusted(reason: string): boolean {
  return /self-signed certificate|unable to (?:verify the first|get(?: local)? issuer) certificate/.test(reason);
}

/** What to do about it at a named connection. */
export const trustByConnection =
  ": write the certificate of the authority that has signed the server's into tls.ca of the connection";
