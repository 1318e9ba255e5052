/** The text of a statement that an endpoint names. */
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { flowResource } from "../../engine/flow-resource.ts";

const resource = /^(?:classpath|file|resource|ref|mem|base64|http|https|bean|type)[0-9]*:/i;

/** A statement itself, or a resource of the flow such as `ref:name`. Throws Error for a resource that is not in the flow. */
export function statementText(written: string, { bean }: Pick<EndpointContext, "bean">): string {
  const text = written.trim();
  if (!resource.test(text)) return text;
  return flowResource(text.replace(/^resource:(?=\w+:)/i, ""), "statement", bean);
}
