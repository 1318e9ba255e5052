/** What is wrong has a name, and is tried again after pauses that grow. */
import assert from "node:assert/strict";
import { type SuiteCase, until } from "../case.ts";

const attempts = 7;

export const wrongCases: readonly SuiteCase[] = [
  {
    name: "a wrong password, host, certificate and name are reported as such, once, and are tried after growing pauses",
    isAlike: true,
    async run({ rig, app, note }) {
      if (rig.server === undefined) note({ note: "it has no password, host and certificate" });
      for (const [what, from, expected] of rig.wrong) {
        const id = `wrong-${what}`;
        // The error handler gets each failed attempt.
        const handler = `- onException: { exception: [java.lang.Exception], handled: { constant: "true" }, steps: [{ log: "attempt of ${id}" }] }`;
        const source = from.slice(1, -1).replace("parameters: {", "parameters: { bridgeErrorHandler: true,");
        const answer = await app.put(
          id,
          `${handler}\n- route: { id: ${id}, from: { ${source}, steps: [{ log: never }] } }`,
        );
        assert.ok(answer.ok, await answer.text());
        const tried = () =>
          app.logs.filter(({ message }) => message === `attempt of ${id}`).map(({ ts }) => Date.parse(ts));
        await until(`${what} is tried ${attempts} times`, () => tried().length >= attempts);
        await app.api(`/flows/${id}`, { method: "DELETE" });
        const lines = app.logs.filter(({ message }) => message.includes(`'${id}' cannot poll`));
        assert.match(lines[0]?.message ?? "", expected);
        assert.ok(lines.length <= 2, `${lines.length} lines`);
        const at = tried();
        const pauses = at.slice(1, attempts).map((one, index) => one - (at[index] ?? 0));
        // Five failures in a row: 16 times the delay of 50 ms, of which half is chance.
        assert.ok((pauses.at(-1) ?? 0) >= 400, `${what}: ${pauses.join(", ")} ms between attempts`);
        note({ note: `${what}: ${attempts} attempts in ${((at[attempts - 1] ?? 0) - (at[0] ?? 0)) / 1000} s` });
      }
    },
  },
];
