/** This thread's port as it uses it: lists of frames in and out, whether they travel as such or, out of a host process, as bytes. */
import type { MessagePort } from "node:worker_threads";
import { pack, unpack } from "../shared/packed.ts";
import { packedThread } from "../shared/protocol.ts";

export interface ThreadPort {
  /** `moved`: memory that goes with the frames. */
  postMessage(frames: readonly unknown[], moved?: ArrayBuffer[]): void;
  listen(read: (frames: unknown[]) => void): void;
  close(): void;
}

/** As this thread was told by its arguments. */
export function threadPort(port: MessagePort): ThreadPort {
  return process.argv.includes(packedThread, 2) ? packedPort(port) : plainPort(port);
}

function plainPort(port: MessagePort): ThreadPort {
  return {
    postMessage: (frames, moved = []) => port.postMessage(frames, moved),
    listen: (read) => void port.on("message", read),
    close: () => port.close(),
  };
}

function packedPort(port: MessagePort): ThreadPort {
  /** For the next message, which names them. */
  const memories = new Map<number, SharedArrayBuffer>();
  return {
    postMessage(frames) {
      const bytes = pack(frames);
      port.postMessage(bytes, typeof bytes === "string" ? [] : [bytes.buffer]);
    },
    listen(read) {
      port.on("message", (message: string | Uint8Array | [number, SharedArrayBuffer]) => {
        if (Array.isArray(message)) {
          memories.set(...message);
          return;
        }
        const frames = unpack(message, memories) as unknown[];
        memories.clear();
        read(frames);
      });
    },
    close: () => port.close(),
  };
}
