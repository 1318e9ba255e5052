/** Memory that nobody will read any more, given back at once. */

/** What is smaller may share its memory with others, and is soon collected. */
const worthIt = 64 * 1024;

/**
 * A large answer lies outside of V8's heap, which looks for what is over only when more is asked for: it would stay for as long as the
 * runtime has little to do. `bytes` are empty afterwards; their socket is closed, or has handed all of them on.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < worthIt || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
