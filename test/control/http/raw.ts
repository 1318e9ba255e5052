/** Bytes to a socket and what comes back, for tests of what no HTTP client would send. */
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends the pieces one after the other and reads until the server closes the connection. */
export function exchangeRaw(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      for (const piece of pieces) socket.write(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
    });
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

/** One request that asks for the connection to be closed. */
export async function requestRaw(
  port: number,
  line: string,
  headers: readonly string[] = [],
  body: string | Uint8Array = "",
): Promise<RawAnswer> {
  const head = [line, "Host: localhost", "Connection: close", ...headers].join("\r\n");
  return parseAnswer(await exchangeRaw(port, `${head}\r\n\r\n`, body));
}

/** The first answer in the text; a body without chunks is all that follows. */
export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, Math.max(0, end)).split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(first.split(" ")[1]), headers, body: text.slice(end + 4) };
}
