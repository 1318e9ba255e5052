/** The component `post-box`: both ends of the queues of Post box. */
import { consumerNames } from "../../../../../src/workers/engine/attended/consumer-options.ts";
import { defineComponent } from "../../../../../src/workers/engine/component.ts";
import { LateModule } from "../../../../../src/workers/engine/late-module.ts";
import { queueOptions } from "./post-box/options.ts";

const producers = new LateModule(() => import("./post-box/producer.ts"));
const sources = new LateModule(() => import("./post-box/source.ts"));

export const postBox = defineComponent({
  scheme: "post-box",
  docs: "Sends each message to a queue of Post box, or takes the messages of one.",
  path: "queue",
  options: queueOptions,
  ends: { consumer: ["concurrentConsumers", ...consumerNames], producer: [] },
  connects: { kinds: ["post-box"], option: "connection", unless: [] },
  network: producers,
  exclusive: true,
  example: `from:
  uri: post-box:orders
  parameters: { connection: "#shop", concurrentConsumers: 4 }
  steps:
    - log: { message: "\${header.CamelPostBoxMessageId}: \${body}" }`,
  source: (options, context) => sources.module().queueSource(options, context),
  producer: (options, context) => producers.module().queueProducer(options, context),
});
