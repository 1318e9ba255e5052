/** A flow that uses every kind of code that lies in a package: each language that is a library, a schema, a database, a call over HTTP. */

const steps = [
  'setVariable: { name: sum, expression: { jsonata: { expression: "$sum(prices)" } } }',
  'setVariable: { name: script, expression: { js: { expression: "2 * JSON.parse(body).prices[1]" } } }',
  `filter: { expression: { simple: { expression: "\${body[sku]} regex '[a-z]+-[0-9]+'" } }, steps: [{ setVariable: { name: pattern, expression: { constant: { expression: matches } } } }] }`,
  'setVariable: { name: query, expression: { jq: { expression: ".prices | length" } } }',
  "messageMapping: { stepId: map, id: article }",
  'setVariable: { name: mapped, expression: { simple: { expression: "${body}" } } }',
  'to: { uri: "sql:select 7 as n", parameters: { dataSource: "#notes", outputType: SelectOne } }',
  'setVariable: { name: row, expression: { simple: { expression: "${body}" } } }',
];
const names = ["sum", "script", "pattern", "query", "mapped", "row"];

export interface Kinds {
  /** Texts by their paths below the folder of the flows. */
  readonly files: Readonly<Record<string, string>>;
  /** The JSON that the flow `kinds` is called with. */
  readonly body: string;
  /** What it responds: one result of each kind. The last one is what the server responds. */
  readonly answer: string;
}

/** `url`: of a server that responds `from afar`. */
export function kinds(url: string): Kinds {
  const last = [
    `to: { uri: "${url}/price", parameters: { httpMethod: GET } }`,
    `setBody: { expression: { simple: { expression: "${[...names.map((name) => `\${variable.${name}}`), "${body}"].join("; ")}" } } }`,
  ];
  const mapping = {
    rules: [{ target: "/id", expr: "sku" }],
    target: {
      schema: { type: "object", properties: { id: { type: "string", pattern: "^[a-z]" } }, required: ["id"] },
    },
  };
  return {
    files: {
      "kinds.yaml": `- route:\n    id: kinds\n    from:\n      uri: webhook\n      steps:\n${[...steps, ...last].map((step) => `        - ${step}\n`).join("")}`,
      "documents/connections/notes.json": '{ "kind": "embedded" }',
      "documents/message-mappings/article.json": JSON.stringify(mapping),
    },
    body: JSON.stringify({ sku: "anvil-7", prices: [1, 2.5] }),
    answer: '3.5; 5; matches; 2; {"id":"anvil-7"}; 7; from afar',
  };
}
