/** Splits what a socket receives into lines. */
import type { Socket } from "node:net";

const lineFeed = 10;

/** Calls `take` with each line, without its end. Destroys the socket with an error when a line has more than `mostBytes`. */
export function readLines(socket: Socket, mostBytes: number, take: (line: string) => void): void {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]).toString("utf8");
      parts = [];
      bytes = 0;
      from = end + 1;
      if (socket.destroyed) return;
      take(line);
    }
    parts.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > mostBytes) socket.destroy(new Error(`the server has sent a line of more than ${mostBytes} bytes`));
  });
}
