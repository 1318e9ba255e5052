/** A directory of `file:` that looks like one of the machine gets a warning that says which one it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { warningsOf } from "./real-catalog.ts";

async function warned(route: string): Promise<readonly string[]> {
  return (await warningsOf(route)).filter((line) => line.includes("absolute_path"));
}

const inRoute = (step: string): string =>
  `- route:\n    id: main\n    from:\n      uri: direct:start\n      steps:\n        - ${step}\n`;

test("from, to, wireTap, poll, pollEnrich and toD warn, each at its address", async () => {
  const source = `- route:\n    id: main\n    from:\n      uri: file:/data/in?noop=true\n      steps:\n        - log: x\n`;
  assert.match(
    (await warned(source)).join(),
    /^4:12 absolute_path '\/data\/in' .* FILES_DIR\/shop\/data\/in .*'file:data\/in'$/,
  );
  for (const [step, place] of [
    ["to: file:///data/out", "6:15"],
    ["to: { uri: file, parameters: { directoryName: /data/out } }", "6:22"],
    ["wireTap: file:/data/out", "6:11"],
    ["poll: file:/data/out", "6:17"],
    ['pollEnrich: { constant: "file:/data/out?fileName=a.csv", timeout: 0 }', "6:36"],
    ['pollEnrich: { simple: "file:/data/out?fileName=${header.name}", timeout: 0 }', "6:34"],
    ["toD: file:/data/out?fileName=${header.name}", "6:16"],
    ["toD: file:/data/out/${header.name}", "6:16"],
    ['recipientList: { constant: "direct:start,file:/data/out" }', "6:39"],
  ] as const) {
    const [warning = "none", ...others] = await warned(inRoute(step));
    assert.deepEqual(others, [], step);
    assert.ok(warning.startsWith(`${place} absolute_path '/data/out`), `${step}: ${warning}`);
  }
});

test("a drive of Windows, a share and the root itself are such directories, too", async () => {
  assert.match((await warned(inRoute("to: 'file:C:\\data\\out'"))).join(), /FILES_DIR\/shop\/C:\/data\/out /);
  assert.match((await warned(inRoute("to: 'file:\\\\server\\out'"))).join(), /FILES_DIR\/shop\/server\/out /);
  assert.match((await warned(inRoute("to: file:/"))).join(), /FILES_DIR\/shop \(.*'file:\.'$/);
});

test("a directory below the flow's own is not warned of, however its URI is written", async () => {
  for (const step of [
    "to: file:out",
    "to: file://out/a",
    "to: file:./out",
    "to: ftp:host//data/out",
    "toD: file:out/${header.name}",
    "toD: file:${header.name}",
  ])
    assert.deepEqual(await warned(inRoute(step)), [], step);
});
