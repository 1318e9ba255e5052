/** What both MQTT components have in common. */
import type { ProducerContext } from "../../engine/component.ts";
import { LateModule } from "../../engine/late-module.ts";
import type { Processor } from "../../engine/processor.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import type { PahoOptions } from "./connection.ts";
import { pahoSecrets } from "./options.ts";

const sources = new LateModule(() => import("./source.ts"));
const producers = new LateModule(() => import("./producer.ts"));

/** `read`: the options of the component, as both have them. */
export function pahoParts<Options>(read: (options: Options) => PahoOptions) {
  return {
    path: "topic",
    exclusive: true,
    // Each client gets every message of its topic, unless the broker divides them among those of a group.
    once: {
      is: (options: Options) => !read(options).topic.startsWith("$share/"),
      when: "its topic does not begin with `$share/`",
    },
    connects: { kinds: ["mqtt"], option: "client", unless: ["brokerUrl", "serverURIs"] },
    secrets: pahoSecrets,
    network: producers,
    source: (options: Options, context: SourceContext): Source => sources.module().pahoSource(read(options), context),
    effect: "writes",
    producer: (options: Options, context: ProducerContext): Processor =>
      producers.module().pahoProducer(read(options), context),
  } as const;
}
