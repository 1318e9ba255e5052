/** Which command lines the runtime's own code reads: those that start it, or work on its directories. */

/** The words that it knows; `run` is `start`. */
export const runtimeWords = ["run", "start", "restore", "test", "audit"] as const;

/** Returns the arguments for the runtime's entry; undefined: the line is for the commands of src/cli. */
export function forRuntime(args: readonly string[]): readonly string[] | undefined {
  const [word, next] = args;
  // src/cli/dev.ts starts the runtime itself, and shows what it reports.
  if ((word === "run" || word === "start") && args.includes("--dev")) return undefined;
  if (word === undefined || isRuntimeWord(word) || /^--start(?:=|$)/.test(word)) return args;
  if (word === "help" && next !== undefined && isRuntimeWord(next)) return [next, "--help"];
  return undefined;
}

function isRuntimeWord(word: string): boolean {
  return runtimeWords.some((one) => one === word);
}
