/** A hostile check thread: the first line of the text orders what it does. */
import type { CheckRequest, CheckResult } from "../../src/shared/check.ts";
import { check as honest } from "../../src/workers/check-worker.ts";

export { describe } from "../../src/workers/check-worker.ts";

export async function check(request: CheckRequest): Promise<unknown> {
  const order = /^# (.*)\n/.exec(request.yaml)?.[1] ?? "";
  const result = await honest(request);
  const { model, manifest } = result.flow as NonNullable<CheckResult["flow"]>;
  const diagnostics: CheckResult["diagnostics"] = [];
  const deeds: Readonly<Record<string, () => unknown>> = {
    loop: () => {
      for (;;);
    },
    grow: () => {
      for (const kept: unknown[] = []; ; ) kept.push({ kept: [kept.length] });
    },
    exit: () => process.exit(3),
    "exit well": () => process.exit(0),
    throw: () => {
      throw new Error("no check");
    },
    "throw later": () => {
      queueMicrotask(() => {
        throw new Error("no check");
      });
      return new Promise(() => {});
    },
    nothing: () => undefined,
    "a text": () => "text",
    "no diagnostics": () => ({ flow: result.flow }),
    "a diagnostic that is none": () => ({ diagnostics: [null] }),
    "another flow": () => ({ diagnostics, flow: { model: { ...model, flowId: "victim" }, manifest } }),
    "another route": () => ({
      diagnostics,
      flow: { model, manifest: { ...manifest, routes: manifest.routes.map((route) => ({ ...route, id: "victim" })) } },
    }),
    "no manifest": () => ({ diagnostics, flow: { model } }),
    print: () => {
      console.log("printed by a check");
      process.stdout.write("written by a check");
      return result;
    },
    environment: () => ({
      diagnostics: [{ ...nowhere, severity: "error", code: "env", message: JSON.stringify(process.env) }],
    }),
    files: () => {
      const { readFileSync } = process.getBuiltinModule("node:fs");
      readFileSync("/etc/passwd");
    },
    network: () => ({
      diagnostics: [
        { ...nowhere, severity: "error", code: "net", message: typeof process.getBuiltinModule("node:net").connect },
      ],
    }),
  };
  return deeds[order]?.() ?? (order in deeds ? undefined : result);
}

const nowhere = { line: null, column: null, endLine: null, endColumn: null, pointer: "", routeId: null, stepId: null };
