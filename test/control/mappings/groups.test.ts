/** A mapping whose id has a group is for the flows of that group, unless its document shares it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../support/start-app.ts";
import { accepted, lastRun, lookingUp, putMapping, refused, textOf } from "./calls.ts";

const codes = { entries: { a: "1" } };
const shared = { ...codes, shared: true };

test("mappings of groups", async (t) => {
  const app = await startTestApp(t);

  async function deployed(flowId: string, route: string, mapping: string): Promise<void> {
    const answer = await app.put(flowId, lookingUp(route, mapping));
    assert.ok(answer.ok, await answer.text());
  }

  await t.test("a flow of the group gets it, and a mapping without a dot is for every flow", async () => {
    await accepted(await putMapping(app, "value", "own.codes", codes));
    await accepted(await putMapping(app, "value", "common", codes));
    await deployed("own.f", "own", "own.codes");
    await deployed("other.f", "common", "common");
    assert.deepEqual([await textOf(app, "own"), await textOf(app, "common")], ["1", "1"]);
  });

  for (const [flowId, who] of [
    ["team-b.f", "'team-b.f' is of group 'team-b'"],
    ["lonely", "'lonely' is in no group"],
  ] as const) {
    await t.test(
      `the flow ${flowId} that names a mapping of group team-a is refused, with the step's line and the remedy`,
      async () => {
        await accepted(await putMapping(app, "value", "team-a.codes", codes));
        const yaml = lookingUp(`r-${flowId}`, "team-a.codes");
        const answer = await app.put(flowId, yaml);
        const message = await refused(answer, 422, "flow_invalid");
        assert.ok(message.includes(`is for flows of group 'team-a', and ${who}`), message);
        assert.match(message, /\.yaml:7:11: .*"shared": true/);
        const validated = await app.api(`/flows/${flowId}/validate`, {
          method: "POST",
          headers: { "Content-Type": "application/yaml" },
          body: yaml,
        });
        const { valid, diagnostics } = (await validated.json()) as {
          readonly valid: boolean;
          readonly diagnostics: readonly { readonly code: string; readonly line: number | null }[];
        };
        const [found] = diagnostics.filter(({ code }) => code === "mapping_of_other_group");
        assert.equal(valid, false);
        assert.equal(typeof found?.line, "number");
      },
    );
  }

  await t.test("a shared one is for flows of every group, until its document no longer shares it", async () => {
    await accepted(await putMapping(app, "value", "lent.codes", shared));
    await deployed("borrower.f", "lent", "lent.codes");
    assert.equal(await textOf(app, "lent"), "1");
    const strict = await putMapping(app, "value", "lent.codes", codes, { query: "?strict=true" });
    assert.match(await refused(strict, 422, "mapping_invalid"), /flow 'borrower\.f' may not use it/);
    assert.equal(await textOf(app, "lent"), "1");
    const { warnings } = await accepted(await putMapping(app, "value", "lent.codes", codes));
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["other_group"],
    );
    assert.equal((await app.post("/api/lent")).status, 500);
    assert.match((await lastRun(app, "lent")).error?.message ?? "", /other groups than 'lent'.*"shared": true/);
    await accepted(await putMapping(app, "value", "lent.codes", shared));
    assert.equal(await textOf(app, "lent"), "1");
  });

  await t.test(
    "a flow that came before the mapping of another group is not given it, and the PUT of the mapping says so",
    async () => {
      await deployed("early.f", "early", "late.codes");
      const { warnings } = await accepted(await putMapping(app, "value", "late.codes", codes));
      assert.match(warnings[0]?.message ?? "", /flow 'early\.f' may not use it/);
      assert.equal((await app.post("/api/early")).status, 500);
    },
  );

  await t.test("a message mapping", async (t) => {
    const using = (id: string, more: object = {}) => ({
      rules: [{ target: "/to", expr: `$vmap('${id}','from','to',code)` }],
      ...more,
    });

    await t.test("of a group may use the value mappings of the group", async () => {
      await accepted(await putMapping(app, "value", "m.codes", codes));
      await accepted(await putMapping(app, "message", "m.order", using("m.codes")));
    });

    for (const [id, more] of [
      ["order", {}],
      ["m2.order", {}],
      ["m.lent", { shared: true }],
    ] as const) {
      await t.test(
        `${id}${"shared" in more ? ", which is shared," : ""} may not bring a value mapping of group m to others`,
        async () => {
          await accepted(await putMapping(app, "value", "m.codes", codes));
          const answer = await putMapping(app, "message", id, using("m.codes", more));
          assert.match(
            await refused(answer, 422, "mapping_invalid"),
            /value mapping 'm\.codes'.*for flows of group 'm'/,
          );
        },
      );
    }

    await t.test("that is shared may use a value mapping that is shared, too", async () => {
      await accepted(await putMapping(app, "value", "m3.codes", shared));
      await accepted(await putMapping(app, "message", "m3.order", using("m3.codes", { shared: true })));
      const { warnings } = await accepted(await putMapping(app, "value", "m3.codes", codes));
      assert.match(warnings[0]?.message ?? "", /message mapping 'm3\.order' may not use it/);
    });
  });
});
