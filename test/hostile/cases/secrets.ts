/** Flows that tell what they should not: 30 of the list. */
import { calls, traced } from "../attacks.ts";
import { type HostileCase, hostile, type Target } from "../case.ts";

const credentials = ["hunter2hunter2", "s3cr3t-in-an-uri", "bearer-of-a-token-1234"];

export const secrets: readonly HostileCase[] = [
  {
    number: 30,
    name: "a flow that logs its caller's credentials",
    flows: hostile(
      `log: "\${header.Authorization} \${header.Cookie} \${body}"`,
      `log: "calling http://user:s3cr3t-in-an-uri@example.org/"`,
      `throwException: { exceptionType: a.B, message: "\${header.Authorization} \${body}" }`,
    ),
    attack: traced(calls),
    body: '{"user": "a", "password": "hunter2hunter2"}',
    headers: { Authorization: "Bearer bearer-of-a-token-1234", Cookie: "session=hunter2hunter2" },
    answers: ["500 run_failed"],
    withinMs: 1000,
    record: /^failed\/error .*\*\*\*/,
    stoppedBy: "text is redacted before it leaves the thread",
    async also(target, answers) {
      const texts = [...answers.map(({ text }) => text), ...(await shown(target))];
      return credentials.filter((one) => texts.some((text) => text.includes(one))).map((one) => `'${one}' is shown`);
    },
  },
];

/** The runs of the flow with their details, and its log. */
async function shown(target: Target): Promise<readonly string[]> {
  const list = await (await target.api("/runs?routeId=hostile")).text();
  const ids = (JSON.parse(list) as { readonly id: string }[]).slice(0, 5).map(({ id }) => id);
  const details = await Promise.all(ids.map(async (id) => (await target.api(`/runs/${id}`)).text()));
  return [list, ...details];
}
