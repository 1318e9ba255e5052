/** What is wrong has a name, and is reported once. How pauses between attempts grow is tested in test/workers/engine/pauses.test.ts. */
import assert from "node:assert/strict";
import { type SuiteCase, until } from "../case.ts";

/** As often as this it is tried before it is known that not each attempt is reported. */
const attempts = 4;

export const wrongCases: readonly SuiteCase[] = [
  {
    name: "a wrong password, host, certificate and name are reported as such, once, and are tried again",
    isAlike: true,
    async run({ rig, app, note }) {
      const whats = rig.wrong.map(([what]) => what);
      if (rig.server === undefined) note({ note: "it has no password, host and certificate" });
      await Promise.all(
        rig.wrong.map(async ([what, from, expected]) => {
          const id = `wrong-${what}`;
          // The error handler gets each failed attempt.
          const handler = `- onException: { exception: [java.lang.Exception], handled: { constant: "true" }, steps: [{ log: "attempt of ${id}" }] }`;
          const source = from.slice(1, -1).replace("parameters: {", "parameters: { bridgeErrorHandler: true,");
          const answer = await app.put(
            id,
            `${handler}\n- route: { id: ${id}, from: { ${source}, steps: [{ log: never }] } }`,
          );
          assert.ok(answer.ok, await answer.text());
          const tried = () => app.logs.filter(({ message }) => message === `attempt of ${id}`).length;
          await until(`${what} is tried ${attempts} times`, () => tried() >= attempts);
          await app.api(`/flows/${id}`, { method: "DELETE" });
          const lines = app.logs.map(({ message }) => message).filter((line) => line.includes(`'${id}' cannot poll`));
          assert.match(lines[0] ?? "", expected);
          assert.equal(lines.length, 1, lines.join("\n"));
        }),
      );
      note({ note: whats.join(", ") });
    },
  },
];
