/** What a reference to a bean stands for (Camel: EndpointHelper.resolveReferenceParameter, `#class:`). */
import type { BeanReference } from "../engine/bean.ts";
import type { FlowParts } from "./flow-parts.ts";

/** `#name`, `name` or `#bean:name` of the flow's beans; `#class:org.acme.Name` or `#type:...` for a bean without properties. */
export function findBean(reference: string, { beans }: Pick<FlowParts, "beans">): BeanReference | undefined {
  const text = reference.trim().replace(/^#/, "");
  const inline = /^(?:class|type):\s*([\w.$]+)\s*(?:\(\s*\))?$/.exec(text)?.[1];
  if (inline !== undefined) return { type: inline, properties: {} };
  return beans.get(text.replace(/^bean:/, ""));
}
