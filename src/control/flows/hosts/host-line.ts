/** What a thread of a host process needs of its host. */
import type { HostMessage } from "./host-messages.ts";

export interface HostLine {
  readonly pid: number;
  /** The process is gone, or is being ended. */
  readonly over: boolean;
  readonly choked: boolean;
  post(thread: number, bytes: Uint8Array): void;
  tell(message: HostMessage): void;
  /** The thread is to have a memory like this one by its next message. @returns its number there */
  share(thread: number, memory: SharedArrayBuffer): number;
  /** Nothing more is heard of this thread. */
  forget(thread: number): void;
  /** A thread cannot be ended: the process is given up. */
  leave(why: string): void;
}
