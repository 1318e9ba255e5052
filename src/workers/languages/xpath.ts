/** The xpath language (Camel: XPathBuilder). */
import { ExpressionSyntaxError, exceptionMessage, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineLanguage, type LanguageContext } from "../engine/language.ts";
import { NodeList } from "../engine/xml-value.ts";
import { Budget } from "./budget.ts";
import { sourceReader } from "./input.ts";
import { documentOf, domLibrary, xmlNode } from "./xpath/document.ts";
import { type XPathValue, xpathLibrary } from "./xpath/library.ts";
import { camelNamespaces, nameResolvers } from "./xpath/names.ts";
import { syntaxFault } from "./xpath/syntax-fault.ts";

const maxText = 10_000;
const oneEngine = "there is one XPath 1.0 engine here: leave it out";

interface Options {
  readonly namespace?: readonly { readonly key: string; readonly value: string }[] | undefined;
  readonly source?: string | undefined;
  readonly resultQName?: "NUMBER" | "STRING" | "BOOLEAN" | "NODESET" | "NODE" | undefined;
}

export const xpath = defineLanguage({
  name: "xpath",
  docs:
    "XPath 1.0 on the message's XML. The result is a list of nodes, which renders as their markup, as nothing when there are none; with resultType (a number or " +
    "String) or resultQName it is that of the first. `$name` is a header or a property; `in:body()`, `in:header('x')`, " +
    "`function:properties('key')` and `function:simple('${...}')` are functions. Numbers of XPath are doubles: a whole number beyond 2^53 keeps its digits with resultType String. " +
    "Document type declarations are refused.",
  options: (z, { clause, flag, oneOf, text, idle, refused }) =>
    z.object({
      resultQName: oneOf(
        ["NUMBER", "STRING", "BOOLEAN", "NODESET", "NODE"],
        "What the result is: a number, a text, true or false, the first node, or by default the list of nodes.",
      ).optional(),
      namespace: z
        .array(
          clause(
            {
              key: text("The prefix, as the path writes it."),
              value: text("The namespace that the prefix stands for: a URI."),
            },
            "Prefixes that the path may use, and the namespaces that they stand for.",
          ),
        )
        .optional(),
      source: text(
        "Where the XML is taken from: `header:name`, `property:name` or `variable:name`; by default the body.",
      ).optional(),
      documentType: refused("the document is an org.w3c.dom.Document: leave it out", "org.w3c.dom.Document"),
      preCompile: idle(flag, "an xpath is read once, when the flow is deployed"),
      threadSafety: idle(flag, "evaluations share nothing"),
      saxon: refused(oneEngine),
      factoryRef: refused(oneEngine),
      objectModel: refused(oneEngine),
      logNamespaces: refused("namespaces are not logged: leave it out"),
    }),
  example: "//line[price > 10]/name",
  expression(text, options, context) {
    const evaluate = compile(text, options, context);
    const kind = kindFor(options, context.resultType);
    return (exchange) => evaluate(exchange, (value) => resultOf(value, kind));
  },
  predicate(text, options, context) {
    const evaluate = compile(text, options, context);
    return (exchange) => evaluate(exchange, (value) => value.booleanValue());
  },
});

type Kind = NonNullable<Options["resultQName"]>;
type Evaluate = <T>(exchange: Exchange, read: (value: XPathValue) => T) => T;

function compile(text: string, options: Options, context: LanguageContext): Evaluate {
  if (text.length > maxText) throw new ExpressionSyntaxError(`an xpath has at most ${maxText} characters`, 0);
  domLibrary.module();
  const { parse, budgeted } = xpathLibrary.module();
  const input = sourceReader(options.source, context);
  const own = (options.namespace ?? []).map(({ key, value }) => [key, value] as const);
  const namespaces: Record<string, string> = Object.assign(
    Object.create(null),
    camelNamespaces,
    Object.fromEntries(own),
  );
  const parsed = syntaxChecked(text, () => parse(text));
  const resolvers = nameResolvers(context);
  return (exchange, read) => {
    const { limits } = exchange.run;
    const node = documentOf(input(exchange), exchange);
    const budget = new Budget(limits, "xpath");
    try {
      return budgeted(budget, () => read(parsed.evaluate({ node, namespaces, ...resolvers(exchange, budget) })));
    } catch (error) {
      if (error instanceof FlowException) throw error;
      const message = `Invalid xpath: ${text}. Reason: ${exceptionMessage(error)}`;
      throw new FlowException("org.apache.camel.language.xpath.InvalidXPathException", message, { cause: error });
    }
  };
}

function syntaxChecked<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw syntaxFault(text, exceptionMessage(error));
  }
}

/** As in Camel, a numeric resultType and String select the type of the XPath result. */
function kindFor({ resultQName }: Options, resultType: string | undefined): Kind {
  const simpleName = resultType?.slice(resultType.lastIndexOf(".") + 1).toLowerCase();
  if (simpleName === "string") return "STRING";
  if (
    simpleName !== undefined &&
    /^(int|integer|long|short|byte|double|float|number|bigdecimal|biginteger)$/.test(simpleName)
  ) {
    return "NUMBER";
  }
  return resultQName ?? "NODESET";
}

function resultOf(value: XPathValue, kind: Kind): unknown {
  switch (kind) {
    case "NUMBER":
      return value.numberValue();
    case "STRING":
      return value.stringValue();
    case "BOOLEAN":
      return value.booleanValue();
    default: {
      const nodes = nodesOf(value);
      return kind === "NODESET" ? nodes : (nodes[0] ?? null);
    }
  }
}

function nodesOf(value: XPathValue): NodeList {
  if (!("toArray" in value)) {
    throw new Error("the result is no list of nodes: set resultType (java.lang.String, java.lang.Integer, ...)");
  }
  return NodeList.from(value.nodeset().toArray(), xmlNode);
}
