/**
 * Test files that `npm test` leaves out, so that it takes three minutes at the most, and what makes them long. `npm run test:all` runs
 * them, and so does `npm run check`.
 */
export const slow: Readonly<Record<string, string>> = {
  "test/control/worker-frames.test.ts": "a thread for each frame that a hostile one may send",
  "test/control/worker-reach.test.ts": "a thread for each thing that a hostile one may try",
  "test/control/worker-check.test.ts": "a thread for each thing that a hostile check may try",
  "test/hostile/hostile.test.ts": "hostile documents and flows by the dozen",
  "test/control/isolation/given-up.test.ts": "host processes that die, lie or hang",
  "test/control/isolation/hosts.test.ts": "host processes that are killed, lost and replaced",
  "test/control/isolation/flows-in-hosts.test.ts": "what flows do, once more in host processes",
  "test/control/deploy-races.test.ts": "calls during many redeployments",
  "test/control/bytes-in-flight.test.ts": "large bodies and readers that do not read",
  "test/control/stores/store-failures.test.ts": "each call to the file system fails once",
  "test/control/stores/store-races.test.ts": "changes side by side, in many orders",
  "test/control/stores/locked-runtime.test.ts": "four whole processes, and waits for the owner of a lock",
  "test/control/api/openapi-agrees.test.ts": "requests made of the OpenAPI document, a few hundred of each kind",
  "test/control/contract/errors.test.ts": "each error of each operation, in a dozen runtimes",
  "test/control/fuzz/fuzz.test.ts": "random calls of the management API",
  "test/workers/languages/js-memory.test.ts": "scripts that use all the memory they may, in many ways",
  "test/workers/languages/simple-safety.test.ts": "random expressions",
  "test/client/package.test.ts": "the package as npm packs it, and programs that are compiled with it",
  "test/control/backup/storm.test.ts": "many changes during backups, in processes that are killed and restored",
  "test/control/corpus/corpus.test.ts": "bad input of every kind, to a process of its own",
  "test/control/mappings/update-storm.test.ts": "calls during many updates",
  "test/control/state/kills.test.ts": "processes that are killed again and again",
  "test/control/stores/crash-states.test.ts": "each state of the disk that a loss of power can leave",
  "test/control/stores/set-crashes.test.ts": "a set that is cut off at each operation, on each disk that may be left",
  "test/workers/check/any-text.test.ts": "random texts, and texts made to be slow",
  "test/workers/check/expand-any-text.test.ts": "random texts with templates, pipes and rest services",
  "test/workers/check/mutations.test.ts": "flows with something changed in their text, by the hundred",
};
