/**
 * Everything at once for a while, in a real process: load, timers, a reader of each stream, and a replacement every five seconds; the heap
 * does not grow. `npm run storm -- soak [seconds]`
 */
import { mixedSoak } from "./support/mixed-soak.ts";

await mixedSoak(Number(process.argv[2] ?? 120));
