/** The door, the check and the API against input that nobody has thought of, in short: `npm run storm -- fuzz` is the long run. */
import { test } from "node:test";
import { startTestApp, token } from "../../support/start-app.ts";
import { furnish, worldAt } from "../corpus/world.ts";
import { fuzzApi } from "./fuzz-api.ts";
import { fuzzBytes } from "./fuzz-bytes.ts";
import { fuzzTargets } from "./fuzz-targets.ts";
import { fuzzYaml } from "./fuzz-yaml.ts";

/** Always the same requests, so that a failure is a change of the runtime and not of the weather. */
const quick = { runs: 70, seed: 20_260_101 };

test("random input", async (t) => {
  const app = await startTestApp(t);
  const world = worldAt(app.url, token);
  await furnish(world);

  await t.test("any bytes: answers of the table, or a closed connection", () => fuzzBytes(world, quick));
  await t.test("any target: one reading of it decides who is asked for a token and who answers", () =>
    fuzzTargets(world, quick),
  );
  await t.test("any flow: deployed, or refused with a place inside of its text", () => fuzzYaml(world, quick));
  await t.test("any request for an operation of the OpenAPI document: answered as documented", async () => {
    await fuzzApi(world, quick);
  });
});
