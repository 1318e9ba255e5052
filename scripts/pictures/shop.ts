/** The flows of the pictures: a small shop. */
import { readFileSync } from "node:fs";

function sample(name: string): string {
  // Without the comment at its head, which speaks of calls by curl.
  const text = readFileSync(new URL(`../../routes/samples/${name}.yaml`, import.meta.url), "utf8");
  return text.replace(/^(?:#.*\n)+/, "");
}

export const [orders, prices, deliveries, batch, heartbeat] = [
  "orders",
  "prices",
  "deliveries",
  "batch",
  "heartbeat",
].map(sample) as [string, string, string, string, string];

/** What belongs to orders.yaml: each step of a run is recorded. */
export const ordersOptions = "description: Takes orders, and asks for their prices.\nrecord: all\n";

export const returns = `- route:
    id: returns
    from:
      uri: webhook
      steps:
        - setVariable: { id: keep-reason, name: reason, simple: "\${body[reason]}" }
        - log: { id: log-return, message: "a return: \${variable.reason}" }
        - setBody: { id: answer, constant: "we take it back" }
`;

export const returnsWithFault = returns.replace("setBody:", "setBdy:");

export const returnsWithFaults = `- route:
    id: returns
    from:
      uri: webhook
      steps:
        - setVariable: { name: reason, simple: "\${body[reason]" }
        - choice:
            when:
              - simple: "\${variable.reason} == null"
                steps:
                  - setHeadr: { name: CamelHttpResponseCode, constant: "400" }
        - log: { mesage: "a return: \${variable.reason}" }
        - to: "htps://crm.example.com/returns"
`;
