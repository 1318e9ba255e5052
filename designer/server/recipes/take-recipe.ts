/** Makes a flow of a recipe in the workspace. */
import type { UsedRecipe } from "../../shared/recipes.ts";
import { Refused } from "../refused.ts";
import { companionFile, flowFile } from "../workspace/names.ts";
import { NewFiles } from "../workspace/new-files.ts";
import { refuseId, type Workspace } from "../workspace/workspace.ts";
import { filesFor } from "./files.ts";

/** All of it is on the disk before the flow is seen, so that what is refused, or fails, leaves no file. Throws Refused. */
export async function takeRecipe(workspace: Workspace, recipe: string, id: string): Promise<UsedRecipe> {
  refuseId(id);
  const { yaml, companion, others } = filesFor(recipe, id);
  const files = await NewFiles.draft(workspace.directory, others);
  try {
    const { file: flow } = await workspace
      .write(id, { yaml, companion, draft: true }, { absent: true })
      .catch((error: unknown) => {
        if (!(error instanceof Refused) || error.status !== 412) throw error;
        throw new Refused(409, `there is a flow '${id}' in the workspace: choose another id`);
      });
    const { written, kept } = await files.create();
    return { flow, written: [flowFile(id), companionFile(id), ...written], kept };
  } finally {
    await files.discard();
  }
}
