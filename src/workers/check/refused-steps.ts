/** Steps of Camel's that this runtime will not have, and what to write in their place. */

const jvm = "it calls Java code";

export const refusedSteps: ReadonlyMap<string, string> = new Map([
  ["bean", `${jvm}: write the logic as an expression or a script in the language js`],
  ["process", `${jvm}: write the logic as an expression or a script in the language js`],
  [
    "threads",
    "there are no thread pools: a run waits without holding a thread, and a flow's limit 'threads' gives it more of them",
  ],
  ["policy", "there are no policy beans: use doTry, onException or circuitBreaker around the steps"],
  ["transacted", "there are no transactions: use onException or doTry to undo what a failed route has done"],
]);
