/** Whether the reason of a failed connection is that OpenSSL does not know who has signed the server's certificate. */
export function isUntrusted(reason: string): boolean {
  return /self-signed certificate|unable to (?:verify the first|get(?: local)? issuer) certificate/.test(reason);
}
