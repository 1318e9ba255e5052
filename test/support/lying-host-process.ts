/** A host process that sends what the protocol does not have when it is sent SIGUSR2; all else of it is the product's. */
import { writeSync } from "node:fs";
import "../../src/control/host-process.ts";

process.on("SIGUSR2", () => writeSync(3, Buffer.alloc(8, 0xff)));
