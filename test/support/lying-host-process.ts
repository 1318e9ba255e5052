/** The product's host process, which sends a message outside of the protocol when it gets SIGUSR2. */
import { writeSync } from "node:fs";
import "../../src/control/host-process.ts";

process.on("SIGUSR2", () => writeSync(3, Buffer.alloc(8, 0xff)));
