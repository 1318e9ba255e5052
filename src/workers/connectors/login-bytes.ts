/** Bounds what a server may send before the login is over: a frame without an end would fill the thread's memory. */
import type { Socket } from "node:net";

const mostBytes = 1024 * 1024;

/** Destroys the socket with an error when it receives too much. Returns what ends the watch. */
export function boundLogin(socket: Socket): () => void {
  let bytes = 0;
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (bytes > mostBytes)
      socket.destroy(new Error(`the server has sent more than ${mostBytes} bytes before the login was over`));
  };
  socket.on("data", count);
  return () => socket.off("data", count);
}
