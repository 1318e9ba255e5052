/** This thread's port: sends and receives lists of frames, unchanged, or as bytes in a host process. */
import type { MessagePort } from "node:worker_threads";
import { pack, unpack } from "../shared/packed.ts";
import { packedThread } from "../shared/protocol.ts";

export interface ThreadPort {
  /** `moved`: memory that is transferred with the frames. */
  postMessage(frames: readonly unknown[], moved?: ArrayBuffer[]): void;
  listen(read: (frames: unknown[]) => void): void;
  close(): void;
}

/** The thread's arguments select the kind of port. */
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
  /** Memories for the next message, which refers to them by number. */
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
