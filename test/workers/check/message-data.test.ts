/** A statement that a message completes (`toD`) is accepted with a warning that shows the statement with parameters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { check } from "../../../src/workers/check-tasks.ts";

async function warned(step: string): Promise<readonly string[]> {
  const yaml = `- route:
    id: main
    from:
      uri: direct:start
      steps:
${step.trim().replaceAll(/^/gm, "        ")}
`;
  const { diagnostics, flow } = await check({ flowId: "main", yaml, params: {}, limits: defaultLimits });
  assert.ok(flow !== undefined, JSON.stringify(diagnostics));
  return diagnostics
    .filter(({ code }) => code === "data_in_path")
    .map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const statements = [
  ["select * from t where id = ${body.id}", "select * from t where id = :#${body.id}"],
  ["select * from t where name = '${body.name}'", "select * from t where name = :#${body.name}"],
  [
    "insert into t (a, b) values (${body[a]}, '${header.b}')",
    "insert into t (a, b) values (:#${body[a]}, :#${header.b})",
  ],
  ["select * from t where id in (${body})", "select * from t where id in (:#in:${body})"],
  ["select * from t where a = :#a and b = ${body}", "select * from t where a = :#a and b = :#${body}"],
  [
    "select * from t where d > '${date:now:yyyy-MM-dd'T'HH:mm}'",
    "select * from t where d > :#${date:now:yyyy-MM-dd'T'HH:mm}",
  ],
] as const;

test("the warning shows the statement with a parameter for each expression", async () => {
  for (const [written, expected] of statements) {
    const [warning = "none"] = await warned(`- toD: "sql:${written}"`);
    assert.ok(
      warning.endsWith(`write 'to', whose statement takes it as a value: ${expected}`),
      `${written}: ${warning}`,
    );
    await accepted(expected);
  }
});

/** What the warning advises is accepted, and not warned of. */
async function accepted(statement: string): Promise<void> {
  assert.deepEqual(await warned(`- to: "sql:${statement}"`), []);
}

test("a text around an expression becomes a variable", async () => {
  const [warning] = await warned(`- toD: "sql:select * from t where name like '%\${body}%'"`);
  assert.match(
    warning ?? "",
    /write 'to' after setVariable: \{name: text1, expression: \{simple: \{expression: "%\$\{body\}%"\}\}\}, .*: select \* from t where name like :#text1$/,
  );
});

test("a name in a statement is none that a parameter can give", async () => {
  const [warning] = await warned('- toD: "sql:select * from ${header.table} where id = ${body}"');
  assert.match(warning ?? "", /from \$\{header\.table\} where id = :#\$\{body\}; \$\{header\.table\} stands where no/);
  const [only] = await warned('- toD: "sql:select * from orders_${header.year}"');
  assert.match(only ?? "", /what that does; \$\{header\.year\} stands where no value can, .*'choice'$/);
});

test("the warning stands at the address, also where the statement is a parameter", async () => {
  const [warning] = await warned('- toD:\n    uri: "sql:select ${body}"\n    parameters: { dataSource: "#db" }');
  assert.match(warning ?? "", /^7:19 /);
  const [parameter] = await warned(
    "- toD:\n    uri: sql\n    parameters: { query: 'delete from t where id = ${body}' }",
  );
  assert.match(parameter ?? "", /^7:18 .*: delete from t where id = :#\$\{body\}$/);
});

test("a procedure's template keeps its expressions, in 'to'", async () => {
  const [warning] = await warned('- toD: "sql-stored:ADD_UP(INTEGER ${body}, OUT INTEGER sum)"');
  assert.match(warning ?? "", /write 'to' in place of 'toD', .*: ADD_UP\(INTEGER \$\{body\}, OUT INTEGER sum\)$/);
});

test("data in options, and statements without any, are not warned of", async () => {
  assert.deepEqual(await warned('- toD: "sql:select 1?dataSource=${header.db}"'), []);
  assert.deepEqual(await warned('- toD: "direct:${body}"'), []);
});
