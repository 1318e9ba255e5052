/** What one request of SFTP carries, and how many are under way: a server far away answers each after a while. */
const pieceBytes = 32_768;
const together = 16;

/**
 * Calls `work` for the pieces of so many bytes, several at a time. `work` resolves with the number of bytes that it has
 * read or written; 0 is the end. Resolves with the number of bytes up to the first end.
 */
export async function inPieces(bytes: number, work: (at: number, length: number) => Promise<number>): Promise<number> {
  for (let from = 0; from < bytes; from += pieceBytes * together) {
    const starts = Array.from({ length: together }, (_, index) => from + index * pieceBytes).filter((at) => at < bytes);
    const done = await Promise.all(starts.map((at) => whole(at, Math.min(pieceBytes, bytes - at), work)));
    const short = done.findIndex((count, index) => count < Math.min(pieceBytes, bytes - (starts[index] ?? 0)));
    if (short >= 0) return (starts[short] ?? 0) + (done[short] ?? 0);
  }
  return bytes;
}

/** A server may give less than it is asked for. */
async function whole(
  at: number,
  length: number,
  work: (at: number, length: number) => Promise<number>,
): Promise<number> {
  let done = 0;
  while (done < length) {
    const count = await work(at + done, length - done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
