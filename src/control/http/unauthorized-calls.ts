/** Logs calls of the management API that were not let in: what was wrong with their credentials, and never the credentials. */
import type { IncomingMessage } from "node:http";
import { RepeatedLines } from "./repeated-lines.ts";

const longestPath = 100;

export class UnauthorizedCalls {
  readonly #lines: RepeatedLines;

  constructor(log: (message: string) => void) {
    this.#lines = new RepeatedLines((_subject, line) => log(line));
  }

  note(request: IncomingMessage): void {
    const line = `a call of the management API was refused as unauthorized: ${reasonOf(request)}`;
    const path = (request.url ?? "").split("?")[0]?.slice(0, longestPath) ?? "";
    this.#lines.note("", line, line, ` (${request.method} ${path} from ${request.socket.remoteAddress ?? "nowhere"})`);
  }

  flush(): void {
    this.#lines.flush();
  }
}

function reasonOf({ rawHeaders }: IncomingMessage): string {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && /^authorization$/i.test(rawHeaders[index - 1] ?? ""),
  );
  const [value] = values;
  if (value === undefined) return "it has no Authorization header; send 'Authorization: Bearer' and the token";
  if (values.length > 1) return "it has more than one Authorization header";
  if (!/^bearer /i.test(value)) return "its Authorization header has another scheme than 'Bearer'";
  return "its token is not the one of SERVICE_DEPLOY_TOKEN";
}
