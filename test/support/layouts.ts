/** The ways in which npm and pnpm install a package: where its files lie, and which Node.js runs it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "./folders.ts";
import { succeed, userEnvironment } from "./packed.ts";

export interface Installed {
  /** The command's path. */
  readonly bulkhead: string;
  /** The folder of the package. */
  readonly package: string;
  /** The variables with which the command is started. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Layout {
  readonly name: string;
  /** Of the Node.js that runs the package; absent: the one of this process. */
  readonly node?: string;
  /** Installs the archive somewhere below an empty folder. */
  install(archive: string, folder: string): Promise<Installed>;
}

/** Without a registry: what has no dependencies needs none. */
const npmInstall = ["npm", "install", "--offline"];

async function beside(archive: string, folder: string, env = userEnvironment()): Promise<Installed> {
  mkdirSync(folder, { recursive: true });
  await succeed([...npmInstall, "--prefix", ".", archive], folder, env);
  return localOf(folder, env);
}

function localOf(folder: string, env = userEnvironment()): Installed {
  const modules = join(folder, "node_modules");
  return { bulkhead: join(modules, ".bin/bulkhead"), package: join(modules, "bulkhead"), env };
}

/** Installs a package of the registry. Resolves with the folder of its commands. */
export async function fromRegistry(specifier: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await succeed(["npm", "install", "--prefix", ".", specifier], folder);
  return join(folder, "node_modules/.bin");
}

export const layouts: readonly Layout[] = [
  { name: "an empty folder", install: beside },
  {
    name: "a path with a space",
    install: (archive, folder) => beside(archive, join(folder, "my flows")),
  },
  {
    name: "hoisted out of a workspace",
    async install(archive, folder) {
      writeFiles(folder, {
        "package.json": '{ "workspaces": ["flows"] }',
        "flows/package.json": JSON.stringify({ name: "flows", dependencies: { bulkhead: `file:${archive}` } }),
      });
      await succeed(npmInstall, folder);
      return localOf(folder);
    },
  },
  {
    name: "pnpm",
    async install(archive, folder) {
      const bin = await fromRegistry("pnpm@12", join(folder, "tools"));
      writeFiles(folder, { "app/package.json": "{}" });
      const app = join(folder, "app");
      await succeed([join(bin, "pnpm"), "add", "--offline", "--store-dir", join(folder, "store"), archive], app);
      return localOf(app);
    },
  },
  {
    name: "global",
    async install(archive, folder) {
      await succeed([...npmInstall, "--global", "--prefix", folder, archive], folder);
      return {
        bulkhead: join(folder, "bin/bulkhead"),
        package: join(folder, "lib/node_modules/bulkhead"),
        env: userEnvironment(),
      };
    },
  },
  {
    name: "Node 24.12",
    node: "v24.12.0",
    async install(archive, folder) {
      const bin = await fromRegistry("node@24.12.0", join(folder, "tools"));
      return await beside(archive, join(folder, "app"), userEnvironment(bin));
    },
  },
];
