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
};
