/** Node-RED beside the runtime, as its users install and start it: `npm install node-red`, a settings file, a file of flows. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, start } from "./server-process.ts";

const usualDirectory = join(tmpdir(), "bulkhead-bench-node-red");
const version = "5";

export interface NodeRed extends ServerProcess {
  readonly version: string;
}

/** Where it is installed; empty: in a directory of its own below the system's temporary one, from the registry if it is not there yet. */
export async function nodeRedDirectory(directory: string): Promise<string> {
  const where = directory === "" ? usualDirectory : directory;
  if (existsSync(entryIn(where))) return where;
  if (directory !== "") throw new Error(`${where} has no Node-RED: npm install --prefix ${where} node-red@${version}`);
  await mkdir(where, { recursive: true });
  const args = ["install", "--prefix", where, "--no-audit", "--no-fund", `node-red@${version}`];
  const { status } = spawnSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} ended with ${status}`);
  return where;
}

/**
 * `timeoutSeconds` is its `functionTimeout`, which ends a function that runs for longer; 0: none does, as it comes. `nodes`: its flows;
 * absent: the victim and the hostile function.
 */
export async function startNodeRed(
  directory: string,
  timeoutSeconds: number,
  nodes: readonly object[] = flows(timeoutSeconds),
): Promise<NodeRed> {
  const userDir = await mkdtemp(join(tmpdir(), "bulkhead-bench-node-red-user-"));
  const settings = {
    userDir,
    uiHost: "127.0.0.1",
    flowFile: "flows.json",
    functionTimeout: timeoutSeconds,
    logging: { console: { level: "off" } },
    // It would ask the registry and its own servers.
    externalModules: { palette: { allowInstall: false } },
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: { tours: false },
  };
  const module = `module.exports = { ...${JSON.stringify(settings)}, uiPort: Number(process.env.PORT) };\n`;
  await writeFile(join(userDir, "settings.js"), module);
  await writeFile(join(userDir, "flows.json"), JSON.stringify(nodes));
  const server = await start([entryIn(directory), "--settings", join(userDir, "settings.js")]);
  const { default: manifest } = (await import(join(directory, "node_modules/node-red/package.json"), {
    with: { type: "json" },
  })) as { default: { version: string } };
  return {
    ...server,
    version: manifest.version,
    async stop() {
      await server.stop();
      await rm(userDir, { recursive: true, force: true });
    },
  };
}

/** The victim, `POST /api/victim`, and the hostile function, which `POST /api/burn` begins. */
function flows(timeout: number): readonly object[] {
  const node = (id: string, type: string, wires: readonly string[], more: object): object => ({
    ...{ id, type, z: "tab", name: id, x: 0, y: 0 },
    ...{ wires: wires.length === 0 ? [] : [wires], ...more },
  });
  const post = { method: "post", upload: false, swaggerDoc: "" };
  const code = (func: string): object => ({
    func,
    outputs: 1,
    timeout,
    noerr: 0,
    initialize: "",
    finalize: "",
    libs: [],
  });
  return [
    { id: "tab", type: "tab", label: "bench", disabled: false },
    node("in", "http in", ["answer"], { ...post, url: "/api/victim" }),
    node(
      "answer",
      "function",
      ["out"],
      code("msg.payload = { order: msg.payload.orderNo, city: msg.payload.customer.city }; return msg;"),
    ),
    node("out", "http response", [], { statusCode: "", headers: {} }),
    node("hostile", "http in", ["burn", "begun"], { ...post, url: "/api/burn" }),
    node("begun", "http response", [], { statusCode: "200", headers: {} }),
    node("burn", "function", [], code("while (true) {}")),
  ];
}

function entryIn(directory: string): string {
  return join(directory, "node_modules/node-red/red.js");
}
