/** The ordinary day: a source opens and closes, keeps the order, and loses nothing when runs fail. */
import assert from "node:assert/strict";
import { type SuiteCase, texts, until } from "../case.ts";

export const orderCases: readonly SuiteCase[] = [
  {
    name: "it opens and closes, and takes nothing without a flow",
    isAlike: true,
    async run({ rig, app, deploy, arrived }) {
      const { id } = await deploy();
      await rig.produce(["one"]);
      await until("it is consumed", async () => (await rig.left()) === 0);
      await app.api(`/flows/${id}`, { method: "DELETE" });
      const gone = async (): Promise<boolean> => !(await (await app.api("/metrics")).text()).includes(`"${id}"`);
      await until("its threads have ended", gone);
      await rig.produce(["two"]);
      assert.equal(await rig.left(), 1);
      await deploy();
      await arrived(["one", "two"], 0);
    },
  },
  {
    name: "200 messages come in their order, each once",
    isSmoke: true,
    async run({ rig, deploy, arrived }) {
      const produced = texts(200);
      await rig.produce(produced);
      await deploy();
      assert.deepEqual([...new Set(await arrived(produced, 0))], produced);
    },
  },
  {
    name: "one of ten runs fails, and 200 of 200 arrive",
    async run({ rig, deploy, decide, arrived }) {
      let asked = 0;
      let failed = 0;
      // The next run goes well, so that no message fails each time.
      decide(() => {
        asked += 1;
        if (asked % 10 !== 0) return "go";
        failed += 1;
        return "fail";
      });
      const produced = texts(200);
      await rig.produce(produced);
      await deploy();
      // A run fails after it has written.
      await arrived(produced, Number.POSITIVE_INFINITY).then((consumed) =>
        assert.ok(consumed.length - produced.length <= failed && failed > 0, `${failed} have failed`),
      );
    },
  },
];
