/** Checks our prose: docs, README, messages, help, log lines and the designer's texts (docs/style.md). */
import { prose } from "./prose/command.ts";

try {
  process.exitCode = await prose(process.cwd(), process.argv.slice(2), (line) => console.log(line));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
