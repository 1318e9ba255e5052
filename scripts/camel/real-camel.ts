/** Real Camel, which runs one file of routes in a process of its own. Its jars come from Maven Central. */
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { mavenFolder } from "../../test/servers/maven.ts";
import { freePort } from "../../test/servers/ports.ts";

/** Modules by the newest version that resolves; each runs beside the core of 4.22.0. */
const modules: Readonly<Record<string, string>> = {
  "4.22.0":
    "bean controlbus core dataformat direct file http jackson language log main mock quartz ref rest scheduler seda stub timer validator xpath xslt yaml-dsl",
  "4.18.0": "base64 cron groovy jacksonxml jsonpath kamelet platform-http-main resilience4j zipfile",
  "4.17.0": "csv gson jq json-validator jsonata mustache zip-deflater",
};

/** What modules of several versions ask for in several versions. */
const shared = [
  "io.vertx:vertx-core:4.5.31",
  "com.fasterxml.jackson.core:jackson-annotations:2.22",
  "com.fasterxml.jackson.dataformat:jackson-dataformat-xml:2.22.1",
  "com.fasterxml.jackson.module:jackson-module-jakarta-xmlbind-annotations:2.22.1",
  "org.slf4j:slf4j-simple:2.0.16",
];

const startMs = 60_000;

export interface RealCamel {
  readonly url: string;
  stop(): Promise<void>;
}

/** Returns the folder of the jars, which is loaded once. Throws Unavailable. */
export function camelJars(): string {
  const artifacts = Object.entries(modules).flatMap(([version, names]) =>
    names.split(" ").map((name) => `org.apache.camel:camel-${name}:${version}`),
  );
  return mavenFolder("camel", [...artifacts, ...shared]);
}

/** Resolves with the reason when Camel refuses the file. */
export async function startCamel(jars: string, file: string): Promise<RealCamel | string> {
  const folder = mkdtempSync(join(tmpdir(), "bulkhead-camel-"));
  const port = await freePort();
  copyFileSync(file, join(folder, basename(file)));
  writeFileSync(
    join(folder, "application.properties"),
    [
      `camel.main.routesIncludePattern=file:${basename(file)}`,
      "camel.main.autoConfigurationLogSummary=false",
      "camel.server.enabled=true",
      "camel.server.host=127.0.0.1",
      `camel.server.port=${port}`,
    ].join("\n"),
  );
  const logs = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn -Dorg.slf4j.simpleLogger.log.org.apache.camel.impl=info";
  const child = spawn("java", [...logs.split(" "), "-cp", `.:${jars}/*`, "org.apache.camel.main.Main"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = async (): Promise<void> => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const refused = await begun(child);
  if (refused === undefined) return { url: `http://127.0.0.1:${port}`, stop };
  await stop();
  return refused;
}

/** Resolves when its routes are started, or with the reason why they are not. */
function begun(child: ChildProcess): Promise<string | undefined> {
  let output = "";
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve("it has not started"), startMs);
    const decide = (reason: string | undefined): void => {
      clearTimeout(late);
      resolve(reason);
    };
    child.once("error", (error) => decide(error.message));
    child.once("exit", () => decide(reasonIn(output)));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output = `${output}${text}`.slice(-20_000);
        if (/Apache Camel \S+ \(.*\) started/.test(output)) decide(undefined);
        else if (/Exception in thread "main" .*\n/.test(output)) decide(reasonIn(output));
      });
  });
}

function reasonIn(output: string): string {
  const [, reason] = /Exception in thread "main" (.*)/.exec(output) ?? [];
  return (reason ?? output.trim().split("\n").at(-1) ?? "").slice(0, 300);
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
