/** Which command lines have an entry of their own, which reads them: the runtime's, for what starts it or works on its directories, and the designer's. */

/** The words that the runtime knows; `run` is `start`. */
export const runtimeWords = ["run", "start", "restore", "test", "audit"] as const;

export const designerWord = "designer";

/** Returns the arguments for the runtime's entry; undefined: the line is not for it. */
export function forRuntime(args: readonly string[]): readonly string[] | undefined {
  const [word, next] = args;
  // src/cli/dev.ts starts the runtime itself, and shows what it reports.
  if ((word === "run" || word === "start") && args.includes("--dev")) return undefined;
  if (word === undefined || isRuntimeWord(word) || /^--start(?:=|$)/.test(word)) return args;
  if (word === "help" && next !== undefined && isRuntimeWord(next)) return [next, "--help"];
  return undefined;
}

/** Returns the arguments for the designer's entry; undefined: the line is not for it. */
export function forDesigner([word, ...more]: readonly string[]): readonly string[] | undefined {
  if (word === designerWord) return more;
  return word === "help" && more[0] === designerWord ? ["--help"] : undefined;
}

function isRuntimeWord(word: string): boolean {
  return runtimeWords.some((one) => one === word);
}
