/** Records what arrives at this process's standard streams from its threads. */
import type { TestContext } from "node:test";

/** Records texts that begin with a match; nothing that the test runner itself writes begins like the texts of tests. */
export function listen(t: TestContext, begins: RegExp): () => string[] {
  const heard: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const { write } = stream;
    stream.write = ((...parameters: Parameters<typeof write>) => {
      const text = String(parameters[0]);
      if (begins.test(text)) heard.push(text);
      return write.apply(stream, parameters);
    }) as typeof write;
    t.after(() => {
      stream.write = write;
    });
  }
  return () => heard;
}
