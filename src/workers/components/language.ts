/** The `language` component (Camel: LanguageEndpoint): an expression as an endpoint. */
import { defineComponent } from "../engine/component.ts";

const noFiles = "a flow reads no files and no classpath for its expressions: write the text behind the language";

export const language = defineComponent({
  scheme: "language",
  docs: "Evaluates the text behind the language's name; the value becomes the body, unless transform is false.",
  path: "languageName",
  options: (z, { text, flag, refused }) =>
    z.object({
      languageName: text("The language, a colon and the text: `simple:Hello ${body}`."),
      transform: flag("Makes the value the body; with `false` it is only evaluated.").default(true),
      resultType: refused("use setBody with a resultType"),
      resourceUri: refused(noFiles),
      binary: refused(noFiles, "false"),
      allowContextMapAll: refused("expressions see the message, not the runtime", "false"),
      contentCache: refused(noFiles, "true"),
      cacheScript: refused("expressions are always compiled once", "false"),
      lazyStartProducer: refused("producers are made when the flow is deployed: leave it out", "false"),
    }),
  example: 'to: { uri: "language:simple:Hello ${body}" }',
  effect: "none",
  producer({ languageName, transform }, context) {
    const [, name = "", source] = /^([\w-]+):?(.*)$/s.exec(languageName) ?? [];
    if (source === undefined || source.trim() === "" || /^(?:resource|file|classpath):/.test(source)) {
      throw new Error(`a language endpoint is 'language:name:text', such as 'language:simple:Hello'; ${noFiles}`);
    }
    const value = context.expression(name, decoded(source));
    return (exchange) => {
      const result = value(exchange) ?? null;
      if (transform) exchange.message.body = result;
    };
  },
});

/** As in Camel, the text may be percent-encoded, since it stands in a URI. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
