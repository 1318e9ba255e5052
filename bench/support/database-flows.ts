/** What the contestants of bench/databases do: three tasks on tables of their own, as flows of this runtime. */

export const pageRows = 500;

/** `name`: of the contestant, in its tables. */
export function tablesOf(name: string): readonly string[] {
  return [
    `create table orders_${name} (id serial primary key, customer text, total int)`,
    `create table inbox_${name} (id serial primary key, state text not null default 'new', label text)`,
    `create index on inbox_${name} (id) where state = 'new'`,
    `create table outbox_${name} (id serial primary key, label text)`,
  ];
}

/** Statements of all contestants, in SQL. */
export function statementsOf(name: string) {
  const next = `select * from inbox_${name} where state = 'new' order by id limit ${pageRows}`;
  return {
    next,
    done: `update inbox_${name} set state = 'done' where id in (select id from inbox_${name} where state = 'new' order by id limit ${pageRows})`,
    rows: "select id, customer, total from stored order by id",
  };
}

/** A webhook whose call inserts a row. */
export function insertFlow(name: string): string {
  return `
- route:
    id: insert
    from:
      uri: webhook
      steps:
        - unmarshal: { json: {} }
        - to: "sql:insert into orders_${name} (customer, total) values (:#customer, :#total)"
        - setBody: { constant: ok }
`;
}

/** Takes rows from one table, makes a text of each, and inserts these into another as a batch. */
export function pollFlow(name: string): string {
  const { next, done } = statementsOf(name);
  return `
- route:
    id: poll
    from:
      uri: sql
      parameters: { query: "${next}", onConsume: "${done}", useIterator: false, greedy: true, delay: 500 }
      steps:
        - split:
            simple: "\${body}"
            aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"
            steps:
              - setBody: { simple: "order \${body[id]} is \${body[label]}" }
        - to: "sql:insert into outbox_${name} (label) values (#)?batch=true"
`;
}

/** Streams the rows of a query into a file of CSV, which gets a line for each. */
export function exportFlow(name: string): string {
  return `
- route:
    id: export
    from:
      uri: webhook
      steps:
        - to: "sql:${statementsOf(name).rows}?outputType=StreamList"
        - split:
            simple: "\${body}"
            streaming: true
            steps:
              - marshal: { csv: { recordSeparator: "\\n" } }
              - to: "file:out?fileName=rows.csv&fileExist=Append"
        - setBody: { constant: ok }
`;
}
