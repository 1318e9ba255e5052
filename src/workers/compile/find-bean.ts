/** Finds the beans that options refer to. */
import type { BeanModel } from "../../shared/flow-model.ts";
import type { BeanReference } from "../engine/bean.ts";

/**
 * Finds `#name`, `name` or `#bean:name` among the flow's beans; `#class:org.acme.Name` or `#type:...` is a bean without
 * properties.
 */
export function findBean(reference: string, beans: ReadonlyMap<string, BeanModel>): BeanReference | undefined {
  const text = reference.trim().replace(/^#/, "");
  const inline = /^(?:class|type):\s*([\w.$]+)\s*(?:\(\s*\))?$/.exec(text)?.[1];
  if (inline !== undefined) return { type: inline, properties: {} };
  return beans.get(text.replace(/^bean:/, ""));
}
