/** Frees memory that nobody will read any more at once. */

/** Smaller bytes may share their memory with others, and are soon collected. */
const worthIt = 64 * 1024;

/**
 * Frees a large answer, which lies outside of V8's heap. V8 collects it only when more memory is requested, so it would
 * stay for as long as the runtime has little to do. `bytes` are empty afterwards; their socket is closed, or has passed
 * all of them on.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < worthIt || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
