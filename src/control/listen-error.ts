/** Why the runtime cannot listen, and what to do about it. */
import { isIPv6 } from "node:net";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** undefined: the error is about something else. The message ends with the system's code, which search engines know. */
export function listenError(error: unknown, { host, port }: ListenAddress): Error | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  const { code, syscall } = error;
  if (syscall !== "listen" && syscall !== "getaddrinfo") return undefined;
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return new Error(`${problem(code, address, { host, port })} (${code})`, { cause: error });
}

function problem(code: unknown, address: string, { host, port }: ListenAddress): string {
  switch (code) {
    case "EADDRINUSE":
      return (
        `${address} is in use by another process: set PORT to another port (0: any free one), or end that process, ` +
        `which \`ss -ltnp 'sport = :${port}'\` (Linux) or \`lsof -i :${port}\` (macOS) shows`
      );
    case "EACCES":
      return `${address} needs rights that this process does not have: set PORT to 1024 or more`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `HOST '${host}' is no address of this machine: set HOST to one of its own, such as 127.0.0.1, or to 0.0.0.0`;
    default:
      return `${address} cannot be listened on: set PORT and HOST to an address of this machine`;
  }
}
