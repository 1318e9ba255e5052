/** Jars of servers, from Maven Central, in a folder that later runs use again. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Unavailable } from "./server-process.ts";

/** Returns a folder with the artifacts and what they need. `artifacts`: `group:artifact:version`. Throws Unavailable. */
export function mavenFolder(name: string, artifacts: readonly string[]): string {
  const hash = createHash("sha256").update(artifacts.join(" ")).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `bulkhead-maven-${name}-${hash}`);
  if (existsSync(folder)) return folder;
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  const dependencies = artifacts.map((one) => {
    const [group, artifact, version] = one.split(":");
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  writeFileSync(
    join(work, "pom.xml"),
    `<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>${name}</artifactId><version>1</version><dependencies>${dependencies.join("")}</dependencies></project>`,
  );
  const args = ["-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib", "-DincludeScope=runtime"];
  const { status, stdout, error } = spawnSync("mvn", args, { cwd: work, encoding: "utf8" });
  try {
    if (status !== 0)
      throw new Unavailable(`mvn has failed for ${name}: ${(error?.message ?? stdout).trim().slice(-300)}`);
    renameSync(join(work, "lib"), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}
