/** A project whose flows leave something of every kind in the directories of a runtime: revisions, documents, keys, failed messages, rows. */
import { webhook } from "./flows.ts";

/**
 * Returns texts by their paths below the project. `orders` responds with the word for its body and `version`, and to a key that it knows
 * `duplicate` and `version`. `bills` sends its body to the server at `url`. `notes` responds with the number of its calls.
 */
export function projectOf(version: string, url: string): Readonly<Record<string, string>> {
  const inside = [
    '{ valueMapping: { stepId: word, id: words, from: shop, to: warehouse, input: "${body}", output: body } }',
    `{ setBody: { simple: "\${body} ${version}" } }`,
  ];
  const sql = (statement: string): string =>
    `to: { uri: "sql:${statement}", parameters: { dataSource: "#notes", outputType: SelectOne } }`;
  return {
    "flows/orders.yaml": webhook(
      "orders",
      `idempotentConsumer: { id: seen, header: id, skipDuplicate: false, steps: [{ choice: { when: [{ simple: "\${exchangeProperty.CamelDuplicateMessage} == true", steps: [{ setBody: { constant: "duplicate ${version}" } }] }], otherwise: { steps: [${inside.join(", ")}] } } }] }`,
    ),
    "flows/bills.yaml": webhook("bills", `to: { id: send, uri: "${url}/bills", parameters: { httpMethod: POST } }`),
    "flows/notes.yaml": webhook(
      "notes",
      sql("create table if not exists notes (id integer primary key)"),
      sql("insert into notes default values"),
      sql("select count(*) as n from notes"),
      'setBody: { simple: "${body}" }',
    ),
    "flows/documents/connections/notes.json": '{ "kind": "embedded" }',
    "flows/documents/value-mappings/words.json": JSON.stringify({
      columns: ["shop", "warehouse"],
      rows: [{ shop: "Paid", warehouse: "20" }],
    }),
  };
}

/** Returns a flow that fills a table, and one that sends each row to the server at `url` and deletes it. */
export function rowsOf(url: string): Readonly<Record<string, string>> {
  const dataSource = 'dataSource: "#notes"';
  const sql = (statement: string): string => `to: { uri: "sql:${statement}", parameters: { ${dataSource} } }`;
  const parameters = `${dataSource}, onConsume: "delete from rows where id = :#id", initialDelay: 10, delay: 50`;
  return {
    "flows/fill.yaml": webhook(
      "fill",
      sql("create table if not exists rows (id integer primary key)"),
      sql("insert into rows default values"),
      "setBody: { constant: '' }",
    ),
    "flows/rows.yaml": `- route: { id: rows, from: { uri: "sql:select * from rows", parameters: { ${parameters} }, steps: [{ to: { uri: "${url}/rows", parameters: { httpMethod: POST } } }] } }`,
    "flows/documents/connections/notes.json": '{ "kind": "embedded" }',
  };
}
