/** What a thread of a host process needs of its host. */
import type { Packed } from "../../../shared/packed.ts";
import type { HostMessage } from "./host-messages.ts";

export interface HostLine {
  readonly pid: number;
  /** The process is gone, or is being ended. */
  readonly over: boolean;
  readonly choked: boolean;
  /** Its main loop has not answered for a while: what is not told may be its delay. */
  readonly silent: boolean;
  /** Resident, as it was last looked at; 0: not known. */
  readonly memoryBytes: number;
  post(thread: number, packed: Packed): void;
  tell(message: HostMessage): void;
  /** The thread is to have a memory like this one by its next message. @returns its number there */
  share(thread: number, memory: SharedArrayBuffer): number;
  /** Nothing more is heard of this thread. */
  forget(thread: number): void;
  /** A thread cannot be ended: the process is given up. */
  leave(why: string): void;
}
