/** The only import of @xmldom/xmldom: parses XML text within bounds, and converts nodes to text. */
import type { Node as DomNode } from "@xmldom/xmldom";
import { exceptionMessage, FlowException, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { exportsOf, LateModule } from "../../engine/late-module.ts";
import { JsonText } from "../../engine/message.ts";
import { xmlTextOf } from "../../engine/message-text.ts";
import { XmlNode } from "../../engine/xml-value.ts";

export type { DomNode };

export const domLibrary = new LateModule(async () => exportsOf(await import("@xmldom/xmldom")));

/** The greatest nesting of elements. */
const maxDepth = 500;
/** Bytes of memory per element or attribute, and how many times a message's size a document may take. */
const nodeBytes = 700;
const growth = 16;

/**
 * Returns the document of a text or of bytes, or the node that the value is; null yields an empty document. Throws
 * TypeConversionException for XML that is not well-formed and for a document type declaration (entities are never
 * declared or fetched), and LimitExceededException for a document of too many nodes or levels.
 */
export function documentOf(value: unknown, exchange: Exchange): DomNode {
  const maxBytes = exchange.run.limits.messageBodyBytes;
  const { DOMParser, DOMImplementation, onWarningStopParsing } = domLibrary.module();
  if (value instanceof XmlNode) return isolate(value.node as DomNode);
  if (value === null) return new DOMImplementation().createDocument(null, "");
  if (typeof value !== "string" && !(value instanceof Uint8Array) && !(value instanceof JsonText)) {
    throw notXml("a value that is neither text nor bytes is no XML");
  }
  const text = xmlTextOf(exchange, value instanceof JsonText ? value.text : value, notXml);
  checkBounds(text, maxBytes);
  try {
    const parser = new DOMParser({ locator: false, onError: onWarningStopParsing });
    return parser.parseFromString(text, "text/xml");
  } catch (error) {
    throw notXml(exceptionMessage(error).split("\n", 1)[0] as string, error);
  }
}

/**
 * Makes an element the root of its own document, as Camel does for a part of a split; returns other nodes unchanged.
 */
function isolate(node: DomNode): DomNode {
  const { DOMImplementation } = domLibrary.module();
  if (node.nodeType !== node.ELEMENT_NODE) return node;
  const document = new DOMImplementation().createDocument(null, "");
  document.appendChild(document.importNode(node, true));
  return document;
}

/** Checks size and depth from the tags alone, before the document is built. */
function checkBounds(text: string, maxBytes: number): void {
  let depth = 0;
  let nodes = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    if (text.startsWith("<!--", at)) at = after(text, "-->", at);
    else if (text.startsWith("<![CDATA[", at)) at = after(text, "]]>", at);
    else if (text[at + 1] === "!") throw notXml("a document type declaration (<!DOCTYPE) is not allowed");
    else if (text[at + 1] === "?") at = after(text, "?>", at);
    else {
      const tag = tagAt(text, at);
      nodes += 1 + tag.attributes;
      if (text[at + 1] === "/") depth -= 1;
      else if (!tag.empty) depth += 1;
      at = tag.end;
    }
    if (depth > maxDepth) throw new FlowException("LimitExceededException", `XML nests at most ${maxDepth} deep`);
    if (nodes * nodeBytes > growth * maxBytes) {
      const most = Math.floor((growth * maxBytes) / nodeBytes);
      throw limitExceeded("messageBodyBytes", `an XML document has at most ${most} tags and attributes`);
    }
  }
}

/** A `>` inside of an attribute's value does not end a tag. */
function tagAt(
  text: string,
  from: number,
): { readonly end: number; readonly attributes: number; readonly empty: boolean } {
  let attributes = 0;
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at];
    if (char === ">") return { end: at + 1, attributes, empty: text[at - 1] === "/" };
    if (char === '"' || char === "'") {
      attributes += 1;
      at = text.indexOf(char, at + 1);
      if (at < 0) break;
    }
  }
  return { end: text.length, attributes, empty: false };
}

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
}

/** Wraps a node as a value of messages. */
export function xmlNode(node: unknown): XmlNode {
  return new XmlNode(node, markupOf);
}

function markupOf(value: unknown): string {
  const node = value as DomNode;
  // Attributes, texts, CDATA sections and namespaces (objects of the xpath library) have their value as text.
  if ([2, 3, 4].includes(node.nodeType) || "isXPathNamespace" in node) return node.nodeValue ?? "";
  const { XMLSerializer } = domLibrary.module();
  return new XMLSerializer().serializeToString(node);
}

function notXml(reason: string, cause?: unknown): FlowException {
  return new FlowException("org.apache.camel.TypeConversionException", `the input cannot be read as XML: ${reason}`, {
    cause,
  });
}
