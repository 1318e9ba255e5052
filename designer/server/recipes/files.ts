/** The files of a recipe as a flow gets them, under its own id or another one. */
import { filesOf } from "../../../src/cli/examples.ts";
import { pathFor } from "../../shared/recipes.ts";
import { readCompanion, writeCompanion } from "../workspace/companion.ts";
import { companionFile, flowFile } from "../workspace/names.ts";

export interface RecipeTexts {
  readonly yaml: string;
  readonly companion: string;
  /** Connections, mappings and tests, by paths from the workspace. */
  readonly others: ReadonlyMap<string, string>;
}

/**
 * Ids of routes, `direct:` names and the names of connections and mappings stay, so that the comments of the flow and its tests hold
 * under each id; what names the flow itself names `flow`. The access policy is an option of the flow here: the designer deploys
 * companions, and a flow that came without its policy would be open.
 */
export function filesFor(recipe: string, flow: string): RecipeTexts {
  const files = filesOf(recipe);
  const textOf = (path: string): string => files.get(path) ?? "";
  const [own, beside, policyPath] = [flowFile(recipe), companionFile(recipe), `documents/auth/${recipe}.json`];
  const others = [...files].filter(([path]) => ![own, beside, policyPath].includes(path));
  const policy = files.get(policyPath);
  return {
    yaml: textOf(own),
    companion: policy === undefined ? textOf(beside) : withPolicy(beside, textOf(beside), policy),
    others: new Map(others.map(([path, text]) => [pathFor(path, recipe, flow), renamed(path, text, { recipe, flow })])),
  };
}

function withPolicy(name: string, companion: string, policy: string): string {
  const { options } = readCompanion(name, companion);
  return writeCompanion(name, companion, { ...options, policy: JSON.parse(policy) as unknown }) ?? companion;
}

/** Connections list the flows that may use them, and tests begin with the flow that they are for. */
function renamed(
  path: string,
  text: string,
  { recipe, flow }: { readonly recipe: string; readonly flow: string },
): string {
  if (recipe === flow) return text;
  if (path.startsWith("documents/connections/"))
    return text.replace(/"flows":\s*\[[^\]]*\]/, (list) => list.replaceAll(`"${recipe}"`, JSON.stringify(flow)));
  return path.startsWith("tests/") ? text.replace(/^flow: .*$/m, `flow: ${JSON.stringify(flow)}`) : text;
}
