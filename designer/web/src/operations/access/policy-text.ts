/** An access policy as the YAML that people edit. */
import { parse, stringify } from "yaml";
import { words } from "../../words.ts";

const { access: texts } = words.operations;

export type PolicyDocument = Readonly<Record<string, unknown>>;

export function textOfPolicy(document: PolicyDocument): string {
  return stringify(document);
}

/** `problem`: why the text is no policy that can be sent. JSON is YAML, too. */
export function readPolicy(text: string): { readonly document: PolicyDocument } | { readonly problem: string } {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 50 });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { problem: words.flowOptions.notYaml(message) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: texts.notMap };
  // The runtime shows secrets so; sent back, that would be the secret.
  if (hasHidden(value)) return { problem: texts.hidden };
  return { document: value as PolicyDocument };
}

function hasHidden(value: unknown): boolean {
  if (value === "***") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasHidden);
}
