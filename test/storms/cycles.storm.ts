/**
 * Deploys, calls and removes a flow again and again, in a real process: descriptors, threads, timers and host processes come back, the
 * heap does not grow. `npm run storm -- cycles [cycles] [KiB of heap a cycle] [thread | process | both]`. The rings of the streams and
 * of the run history are made small by their limits, so that they are full before the measured part begins: what grows after that is a leak.
 *
 * With flows in host processes every other cycle is in a host that stays, since another flow is in it, too, and every other in a host of
 * its own, which is forked for it and ends with it.
 */
import { cycles } from "./support/cycles.ts";

const [count = "1000", mostKiB = "1", isolation = "both"] = process.argv.slice(2);
const isolations = { thread: ["thread"], process: ["process"], both: ["thread", "process"] } as const;
if (!Object.hasOwn(isolations, isolation)) throw new Error(`'${isolation}' is not thread, process or both`);
for (const one of isolations[isolation as keyof typeof isolations]) await cycles(one, Number(count), Number(mostKiB));
