/**
 * Beans of type `java.lang.String`: texts of a flow, such as templates and schemas, that endpoints name as `ref:name`.
 * Camel makes such a bean of a script in the language `constant`.
 */
import type { BeanModel } from "../../../shared/flow-model.ts";
import type { Report } from "../report.ts";
import { atKey, entryOf, type MapNode, toCamelCase } from "../tree.ts";
import { isNothing, scalarText } from "./nodes.ts";
import { flag, type Parts, text } from "./parts.ts";

/** The keys of a text, beside those of every bean. */
export const textBeanParts: Parts = {
  script: text("The text of a bean of type `java.lang.String`, such as a template that `mustache:ref:name` names."),
  scriptLanguage: text("`constant`, for a bean of type `java.lang.String`."),
  scriptPropertyPlaceholders: flag(
    "With `false`, `{{...}}` in the script stays as it is, which a mustache template needs.",
  ),
};

export const textClass = "java.lang.String";

export function isTextBean(type: string): boolean {
  return type === textClass || type === "String";
}

/** Reads a bean of type `java.lang.String`; reports one that is not made of a constant text. */
export function readTextBean(node: MapNode, name: string, report: Report): BeanModel | undefined {
  const script = entryOf(node, "script");
  const language = entryOf(node, "scriptLanguage");
  const known = new Set(["name", "type", ...Object.keys(textBeanParts)]);
  const kept = entryOf(node, "scriptPropertyPlaceholders");
  if (kept !== undefined && !/^(?:true|false)?$/i.test(scalarText(kept.value) ?? "")) {
    report.error("wrong_type", `'scriptPropertyPlaceholders' is true or false`, kept.value);
  }
  const other = node.entries.find(({ key, value }) => !known.has(toCamelCase(key)) && !isNothing(value));
  if (script?.value.kind === "scalar" && scalarText(language?.value) === "constant" && other === undefined) {
    return { name, type: textClass, properties: {}, text: script.value.text ?? "", at: node.at };
  }
  const message = `bean '${name}' of type '${textClass}' is a text: write 'scriptLanguage: constant' and 'script: |' with the text`;
  report.error("wrong_type", message, other === undefined ? node : atKey(other));
  return undefined;
}
