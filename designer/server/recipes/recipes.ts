/** The recipes: the package's examples, as `bulkhead init --list` groups them, with what each of them uses. */
import { categories, type Example, filesOf, readExamples } from "../../../src/cli/examples.ts";
import type { Recipe, RecipeConnection, RecipeEntry, RecipeGroup } from "../../shared/recipes.ts";
import type { Options } from "../../shared/wire.ts";
import { parse, tree } from "../../web/src/model/index.ts";
import { Refused } from "../refused.ts";
import { readCompanion } from "../workspace/companion.ts";
import { usesOf } from "../workspace/flow-texts.ts";
import { companionFile } from "../workspace/names.ts";
import { componentsOf } from "./components.ts";
import { filesFor } from "./files.ts";

/** They are files of the package, which do not change while it runs. */
export class Recipes {
  #groups: readonly RecipeGroup[] | undefined;

  groups(): readonly RecipeGroup[] {
    this.#groups ??= readGroups();
    return this.#groups;
  }

  /** Throws Refused (404). */
  read(id: string): Recipe {
    const entry = this.groups()
      .flatMap(({ recipes }) => recipes)
      .find((one) => one.id === id);
    if (entry === undefined) throw new Refused(404, `there is no recipe '${id.slice(0, 200)}'`);
    const { yaml, companion, others } = filesFor(id, id);
    const routes = tree(parse(yaml)).routes.flatMap((route) => route.id ?? []);
    const beside = [[companionFile(id), companion] as const, ...others];
    return { ...entry, yaml, routes, others: beside.map(([path, text]) => ({ path, text })) };
  }
}

function readGroups(): readonly RecipeGroup[] {
  const examples = readExamples();
  return Object.entries(categories).map(([category, title]) => ({
    title,
    recipes: examples.filter((one) => one.category === category).map(entryOf),
  }));
}

function entryOf({ id, title, purpose, needs }: Example): RecipeEntry {
  const { yaml, companion } = filesFor(id, id);
  const { params = {} } = readCompanion(companionFile(id), companion).options;
  return {
    ...{ id, title, purpose, needs },
    components: componentsOf(tree(parse(yaml)), params as Options),
    connections: connectionsIn(filesOf(id)),
    mappings: usesOf(yaml),
  };
}

function connectionsIn(files: ReadonlyMap<string, string>): readonly RecipeConnection[] {
  return [...files].flatMap(([path, text]) => {
    const name = /^documents\/connections\/(.+)\.json$/.exec(path)?.[1];
    return name === undefined ? [] : [{ name, kind: (JSON.parse(text) as { readonly kind: string }).kind }];
  });
}
