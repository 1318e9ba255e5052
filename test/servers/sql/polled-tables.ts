/** Flows of the suite with databases: they poll a table, and write another one. */
import type { Rig } from "../suite/connector.ts";

export interface PolledTables extends Pick<Rig, "from" | "sources" | "text" | "to"> {
  /** A source of the rows that wait, with more parameters. */
  readonly fromBy: (more: string) => string;
  /** A source whose table is missing. */
  readonly fromMissing: string;
}

export function polledTables(transacted: boolean): PolledTables {
  const mark = `onConsume: "update inbox set state = 'done' where id = :#id"`;
  const polled = (more: string): string => `{ uri: sql, parameters: { initialDelay: 10, delay: 50, ${more} } }`;
  const queryOf = (which = ""): string => `query: "select * from inbox where state = 'new'${which} order by id"`;
  const marked = (query: string): string => polled(`${query}, ${mark}, transacted: ${transacted}`);
  return {
    from: marked(queryOf()),
    sources: (underWay) =>
      Array.from({ length: underWay }, (_, at) => marked(queryOf(` and id % ${underWay} = ${at}`))),
    text: "${body[body]}",
    to: (text) => `{ to: { uri: "sql:insert into sink (body) values (:#${text})" } }`,
    fromBy: (more) => polled(`${queryOf()}, ${more}`),
    fromMissing: polled(`query: "select * from missing"`),
  };
}
