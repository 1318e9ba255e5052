/** The `smtp` and `smtps` components (Camel: MailEndpoint 4.22): one component with two names, which sends mails. */
import { type ComponentDefinition, defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import { smtpOptions } from "./smtp/options.ts";

const producers = new LateModule(() => import("./smtp/producer.ts"));

function component(scheme: "smtp" | "smtps"): ComponentDefinition {
  const how = scheme === "smtps" ? ", encrypted from the first byte" : "";
  return defineComponent({
    scheme,
    docs: `Sends the message as a mail over SMTP${how}: the body is its text, and the message's attachments go with it.`,
    path: "host",
    connects: { kinds: ["smtp"], option: "connection", unless: ["host"], path: "server" },
    options: smtpOptions,
    noConsumer: "it sends mails; mailboxes are read over IMAP and POP3, which this runtime does not have yet",
    secrets: { host: "text", username: "text", password: "text" },
    network: producers,
    example: `to:
  uri: ${scheme}
  parameters: { connection: "#mail", from: shop@example.org, to: orders@example.org, subject: New order }`,
    effect: "writes",
    producer: (options, context) => producers.module().smtpProducer(scheme, options, context),
  });
}

export const smtp = component("smtp");
export const smtps = component("smtps");
