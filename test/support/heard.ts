/** What arrives at this process's standard streams without having been written by it. */
import type { TestContext } from "node:test";

/** Texts that match; what the test runner itself writes there does not begin like anything that a test says. */
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
