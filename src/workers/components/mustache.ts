/** The `mustache` component (Camel: MustacheEndpoint 4.22): a template makes the message's body. */
import { defineComponent, type ProducerContext } from "../engine/component.ts";
import { asText } from "../engine/convert.ts";
import { ExpressionSyntaxError, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { flowResource } from "../engine/flow-resource.ts";
import { escapes, escapings } from "./mustache/escapes.ts";
import { type Names, namesOfExchanges, namesOfMessages, renderTemplate } from "./mustache/render.ts";
import { mustacheLibrary, type Part, parseTemplate } from "./mustache/template.ts";

const inFlow = "a template is text of the flow, which is read when the flow is deployed: leave it out";

export const mustache = defineComponent({
  scheme: "mustache",
  docs:
    "Renders a mustache template, whose text becomes the body. The template is a bean of type `java.lang.String`, named as `mustache:ref:name`; names in it begin " +
    "with `body`, `headers`, `variables` or `exception`. As in Camel, values are escaped for HTML, which breaks other payloads: write `escape=json` for JSON.",
  path: "resourceUri",
  options: (z, { text, flag, oneOf, idle, refused }) =>
    z.object({
      resourceUri: text(
        "The template: `ref:name` for the flow's bean of type `java.lang.String`, `mem:` or `base64:` for the text itself.",
      ),
      escape: oneOf(
        escapes,
        "How `{{name}}` is written. `html` is what Camel does; `json` fits between quotation marks, and `{{{name}}}` is then the value as JSON; `none` writes text as it is.",
      ).default("html"),
      startDelimiter: text("What begins a tag in the template.").default("{{"),
      endDelimiter: text("What ends a tag in the template.").default("}}"),
      allowTemplateFromHeader: flag(
        "Takes the template from the header `CamelMustacheTemplate` (its text) or `CamelMustacheResourceUri` (`ref:name`) if there is one; the names without `Camel` work, too.",
      ).default(false),
      allowContextMapAll: flag("Lets names begin with `exchangeProperties`, `in` and `request`, too.").default(false),
      contentCache: idle(flag, inFlow),
      encoding: idle(text, inFlow),
      lazyStartProducer: refused("producers are made when the flow is deployed: leave it out", "false"),
    }),
  example: 'to: { uri: "mustache:mem:Hello [[body.name]]!?startDelimiter=[[&endDelimiter=]]&escape=none" }',
  effect: "none",
  producer(options, context) {
    mustacheLibrary.module();
    const templates = new Templates(options, context);
    const own = templates.ofResource(options.resourceUri);
    const escaping = escapings[options.escape];
    return (exchange) => {
      const { parts, names } = (options.allowTemplateFromHeader ? templates.ofHeaders(exchange) : undefined) ?? own;
      exchange.message.body = renderTemplate(parts, exchange, { names, escaping });
    };
  },
});

interface Options {
  readonly startDelimiter: string;
  readonly endDelimiter: string;
  readonly allowContextMapAll: boolean;
}

const byDefault: Options = { startDelimiter: "{{", endDelimiter: "}}", allowContextMapAll: false };

interface Template {
  readonly parts: readonly Part[];
  readonly names: Names;
}

/** Reads the templates of an endpoint. */
class Templates {
  readonly #bean: ProducerContext["bean"];
  readonly #options: Options;
  /** The last template that came in a header. */
  #latest: { readonly text: string; readonly template: Template } | undefined;

  constructor(options: Options, { bean }: ProducerContext) {
    this.#bean = bean;
    this.#options = options;
    for (const delimiter of [options.startDelimiter, options.endDelimiter]) {
      if (/^[^\s=]{1,20}$/.test(delimiter)) continue;
      throw new Error(`a delimiter has 1 to 20 characters without blanks and '=', such as '[['; found '${delimiter}'`);
    }
  }

  /** Throws Error with the place in the template. */
  ofResource(uri: string, options = this.#options): Template {
    return templateOf(flowResource(uri, "template", this.#bean), options);
  }

  /** Removes the header, as Camel does. Returns undefined without one. Throws FlowException. */
  ofHeaders({ message: { headers } }: Exchange): Template | undefined {
    // A resource is an endpoint without options of its own.
    const uri = takeHeader(headers, "MustacheResourceUri");
    if (uri !== undefined) return failingAs("java.io.IOException", () => this.ofResource(uri, byDefault));
    const text = takeHeader(headers, "MustacheTemplate");
    if (text === undefined) return undefined;
    if (this.#latest?.text !== text) {
      const template = failingAs("com.github.mustachejava.MustacheException", () => templateOf(text, this.#options));
      this.#latest = { text, template };
    }
    return this.#latest.template;
  }
}

function templateOf(text: string, { startDelimiter, endDelimiter, allowContextMapAll }: Options): Template {
  const names = allowContextMapAll ? namesOfExchanges : namesOfMessages;
  try {
    return { names, parts: parseTemplate(text, [startDelimiter, endDelimiter], Object.keys(names)) };
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) throw new Error(`the template ${placed(text, error)}`);
    throw error;
  }
}

/** Camel 4.22 has the name with `Camel` before it, which callers over HTTP cannot set; 4.17 has it without. */
function takeHeader(headers: Exchange["message"]["headers"], name: string): string | undefined {
  const present = [`Camel${name}`, name].find((one) => headers.get(one) !== undefined && headers.get(one) !== null);
  if (present === undefined) return undefined;
  const text = asText(headers.get(present));
  headers.delete(present);
  return text;
}

function failingAs<T>(type: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    throw new FlowException(type, cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** `line 2, column 5: message` */
function placed(text: string, { index, message }: ExpressionSyntaxError): string {
  const before = text.slice(0, index).split("\n");
  return `at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${message}`;
}
