/** One keep-alive connection that sends one request after the other, and knows of each what became of it. */
import { connect, type Socket } from "node:net";

export interface Answered {
  readonly kind: "answer";
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The connection ended before the answer was whole. */
export interface Broken {
  readonly kind: "broken";
  /** Bytes of the answer that had come. */
  readonly received: number;
  readonly reason: string;
}

export interface Refused {
  readonly kind: "refused";
}

export class Caller {
  readonly #port: number;
  #socket: Socket | undefined;
  #text = "";
  #told: (() => void) | undefined;
  #ended: string | undefined;
  /** Connections that it has opened. */
  connections = 0;
  /** Connections that the server closed although their last answer had not said so. */
  closedSilently = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async post(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered | Broken | Refused> {
    if (this.#socket === undefined && !(await this.#open())) return { kind: "refused" };
    this.#text = "";
    const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket?.write(
      `POST ${path} HTTP/1.1\r\nHost: storm\r\n${more.join("")}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    for (;;) {
      const answer = this.#parse();
      if (answer !== undefined) {
        if (answer.headers.get("connection") === "close") this.close();
        return answer;
      }
      if (this.#ended !== undefined) {
        const broken: Broken = { kind: "broken", received: this.#text.length, reason: this.#ended };
        this.close();
        return broken;
      }
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #open(): Promise<boolean> {
    const socket = connect(this.#port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
    const opened = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (!opened) return false;
    this.connections += 1;
    this.#ended = undefined;
    this.#socket = socket;
    const end = (reason: string) => (): void => {
      if (this.#socket !== socket || this.#ended !== undefined) return;
      this.#ended = reason;
      if (this.#told === undefined) {
        // Nothing was under way: the next request finds a new connection.
        this.closedSilently += 1;
        this.#socket = undefined;
      }
      this.#tell();
    };
    socket.on("data", (chunk: string) => {
      this.#text += chunk;
      this.#tell();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message)());
    socket.on("close", end("closed"));
    return true;
  }

  #tell(): void {
    const told = this.#told;
    this.#told = undefined;
    told?.();
  }

  /** The answer, when it is whole: those of the runtime have a Content-Length, or no body. */
  #parse(): Answered | undefined {
    const headEnd = this.#text.indexOf("\r\n\r\n");
    if (headEnd < 0) return undefined;
    const [first = "", ...lines] = this.#text.slice(0, headEnd).split("\r\n");
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const length = Number(headers.get("content-length") ?? 0);
    const body = this.#text.slice(headEnd + 4);
    if (body.length < length) return undefined;
    return { kind: "answer", status: Number(first.split(" ")[1]), headers, body };
  }
}
