/** The options of both ends of a sql endpoint (Camel: sql.json 4.22), and those by which it names its own server. */
import { consumerNames, consumerOptions } from "../../engine/attended/consumer-options.ts";
import type { Slots, Z } from "../../engine/slots.ts";
import { databaseOptions } from "../database/options.ts";

const ownClock = "polls are delay apart: leave it out";
const noBeans = "there are no beans of this kind: leave it out";

/** Options that only the consumer reads, and those that only the producer reads. */
export const sqlEnds = {
  consumer: names(
    "onConsume onConsumeFailed onConsumeBatchComplete breakBatchOnConsumeFail expectedUpdateCount maxMessagesPerPoll useIterator " +
      "routeEmptyResultSet sendEmptyMessageWhenIdle transacted deliveryKey initialDelay delay useFixedDelay greedy repeatCount " +
      "backoffMultiplier backoffIdleThreshold backoffErrorThreshold",
  ).concat(consumerNames),
  producer: names("outputHeader separator batch noop useMessageBodyForSql template.maxRows"),
};

function names(text: string): readonly string[] {
  return text.split(" ");
}

export function sqlOptions(z: Z, slots: Slots) {
  const { text, flag, integer, duration, oneOf, only, idle, refused } = slots;
  return z.object({
    query: text(
      "The statement. `:#name` is a value of the body, a header or a variable, `:#${body.id}` the value of an expression, `:#in:ids` a list, and `#` the next value of the body.",
    ),
    ...databaseOptions(slots),
    allowNamedParameters: flag("With `false` a mark is always a value by its position.").default(true),
    outputType: oneOf(
      ["SelectList", "SelectOne", "StreamList"],
      "What a query yields: a list of rows, one row (or the value of its one column), or rows that are read while `split` takes them, and never all in memory.",
    ).default("SelectList"),
    outputHeader: text("The header that gets the result; the body stays as it is.").optional(),
    separator: text("What separates the values of a body that is a text, for parameters written `#`.")
      .refine((one) => one.length === 1, "separator is one character")
      .default(","),
    usePlaceholder: flag("With `false` only `?` marks a parameter, and `#` is a part of the statement.").default(true),
    placeholder: text("What marks a parameter, for statements in which `#` is an operator.").default("#"),
    batch: flag(
      "Runs the statement once for each element of the body, all in one transaction: `:#name` is a value of the element.",
    ).default(false),
    noop: flag("Leaves the body as it is, whatever the statement yields.").default(false),
    useMessageBodyForSql: flag(
      "Takes the statement of the body, with `?` as the mark, and its values of the header CamelSqlParameters. A body that comes from outside can do anything in the database then.",
    ).default(false),
    fetchSize: integer("About how many rows are read at a time with `outputType: StreamList`.")
      .refine((rows) => rows > 0 && rows <= 10_000, "fetchSize is from 1 to 10000")
      .default(500),
    "template.maxRows": integer("The most rows that a query yields; further ones are left out. 0: all.").default(0),
    "template.queryTimeout": integer(
      "Seconds that a statement may take, up to the limit outboundTotalMs; 0: that limit.",
    ).default(0),

    onConsume: text(
      "The statement that marks a row when its run has ended well, such as `update orders set done = true where id = :#id`.",
    ).optional(),
    onConsumeFailed: text(
      "The statement that marks a row when its run has failed; without it the row comes again.",
    ).optional(),
    onConsumeBatchComplete: text(
      "The statement that runs when all rows of a poll are done; it has no parameters.",
    ).optional(),
    breakBatchOnConsumeFail: flag(
      "Leaves the other rows of a poll for the next one when a row could not be marked.",
    ).default(false),
    expectedUpdateCount: integer(
      "How many rows `onConsume` must change; another number counts as a row that could not be marked. -1: any.",
    ).default(-1),
    maxMessagesPerPoll: integer("How many rows one poll takes; 0: as many as fit into the limits.").default(0),
    useIterator: flag("Makes a message of each row; with `false` one message of the list of all rows.").default(true),
    routeEmptyResultSet: flag("With `useIterator: false`, runs the route with an empty list, too.").default(false),
    sendEmptyMessageWhenIdle: flag("Runs the route with a null body when a poll has found no rows.").default(false),
    transacted: flag(
      "Marks a row in the transaction of its run: what the route does in the same database is committed together with the mark, or not at all. A failed run ends the poll.",
    ).default(false),
    deliveryKey: text(
      "The columns by which a row is known again after its thread was lost, with commas; by default those of the table's primary key.",
    ).optional(),
    ...consumerOptions(slots),
    initialDelay: duration("How long after the start of the flow it polls first.").default(1000),
    delay: duration("The time between two polls, at least 10 ms.")
      .refine((ms) => ms >= 10, "delay is at least 10 ms")
      .default(500),
    useFixedDelay: flag("Counts the time from the end of a poll; with `false` from its beginning.").default(true),
    greedy: flag("Polls again at once when rows were found.").default(false),
    repeatCount: integer("How often it polls; 0: without an end.").default(0),
    backoffMultiplier: integer(
      "How many polls are left out after `backoffIdleThreshold` polls without rows, or `backoffErrorThreshold` that failed; 0: none.",
    ).default(0),
    backoffIdleThreshold: integer("After how many polls without rows `backoffMultiplier` applies; 0: never.").default(
      0,
    ),
    backoffErrorThreshold: integer("After how many failed polls `backoffMultiplier` applies; 0: never.").default(0),

    batchAutoCommitDisabled: only(
      true,
      "a batch is one transaction: leave it out, or send the elements one by one with split",
    ),
    alwaysPopulateStatement: only(false, "a statement without parameters reads nothing of the message: leave it out"),
    parametersCount: idle(integer, "parameters are counted in the statement itself"),
    outputClass: refused("rows are maps: write a transform or a mapping behind the step"),
    prepareStatementStrategy: refused(noBeans),
    rowMapperFactory: refused(noBeans),
    templateOptions: refused("write template.maxRows, template.queryTimeout or fetchSize"),
    lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),
    exchangePattern: refused("nobody waits for the reply to a row: leave it out", "InOnly"),
    pollStrategy: refused(noBeans),
    runLoggingLevel: refused("polls are not logged: leave it out", "TRACE"),
    scheduledExecutorService: refused(ownClock),
    scheduler: refused(ownClock, "none"),
    schedulerProperties: refused(ownClock),
    startScheduler: refused("write autoStartup: false at the route", "true"),
    timeUnit: refused("durations say their unit: 5s, 1m", "MILLISECONDS"),
    processingStrategy: refused(noBeans),
  });
}

export type SqlOptions = ReturnType<ReturnType<typeof sqlOptions>["parse"]>;
