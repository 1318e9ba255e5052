/** Parts of a long test. */
import type { TestContext } from "node:test";

/**
 * Runs a part, which is reported by its name when it has ended: a file that reports nothing for three minutes counts as one that hangs. Resolves
 * with the part's result. Rejects when the part has failed.
 */
export async function part<T>(t: TestContext, name: string, work: () => Promise<T>): Promise<T> {
  let done: { readonly result: T } | undefined;
  await t.test(name, async () => {
    done = { result: await work() };
  });
  if (done === undefined) throw new Error(`this part has failed: ${name}`);
  return done.result;
}
