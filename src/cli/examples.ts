/** The examples that the package brings, each a folder that is named after its flow: what they are, and their files. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "./package-root.ts";
import { parseYamlFile } from "./yaml.ts";

export interface Example {
  readonly id: string;
  readonly category: string;
  readonly title: string;
  /** What it does. */
  readonly purpose: string;
  /** What has to be there before it can be deployed. */
  readonly needs: string;
}

/** Titles by the words of companion files, in the order in which they are listed. */
export const categories: Readonly<Record<string, string>> = {
  http: "HTTP services and webhooks",
  brokers: "Message brokers",
  databases: "Databases",
  files: "Files",
  schedules: "Schedules and mail",
  reliability: "When things fail",
};

const folder = new URL("examples/", packageRoot);

/** Returns all of them by their ids. */
export function readExamples(): Example[] {
  return readdirSync(folder).sort().map(readExample);
}

/** The description in its companion file has three lines: its title, what it does, what it needs. */
function readExample(id: string): Example {
  const name = `${id}.flow.yaml`;
  const file = new URL(`${id}/${name}`, folder);
  const { description, category } = parseYamlFile(readFileSync(file, "utf8"), name) as Record<string, unknown>;
  const [title = "", purpose = "", needs = "", ...more] = String(description).trimEnd().split("\n");
  if (!needs.startsWith("Needs ") || more.length > 0)
    throw new Error(`${id}: its description is a title, what it does, and what it needs, a line each`);
  if (categories[String(category)] === undefined) throw new Error(`${id}: there is no category '${category}'`);
  return { id, category: String(category), title, purpose, needs };
}

/** Returns texts by their paths below the folder of the flows. */
export function filesOf(id: string): Map<string, string> {
  const own = fileURLToPath(new URL(`${id}/`, folder));
  const paths = readdirSync(own, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(own, path)).isFile(),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(own, path), "utf8")]));
}
