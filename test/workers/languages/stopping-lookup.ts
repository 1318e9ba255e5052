/** A process that stops itself in the middle of an evaluation, and prints the result when it has been continued. */
import { writeSync } from "node:fs";
import { noMappings } from "../../../src/workers/engine/mappings.ts";
import { resultOf } from "./in-flow.ts";

const stops = {
  lookup(): string {
    writeSync(1, "stops\n");
    process.kill(process.pid, "SIGSTOP");
    return "continued";
  },
};
const mappings = { ...noMappings, value: () => stops };
const limits = { scriptMs: 1000 };
console.log(await resultOf("jsonata", "$vmap('m', 'a', 'b', 'x') & '!'", { mappings, limits }));
