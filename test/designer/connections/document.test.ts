/** The document of a connection as its form edits it: what one does not touch stays, and nothing half written is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  flowChoiceOf,
  missingIn,
  sentOf,
  withFlowChoice,
  withHost,
  withKind,
  withPart,
} from "../../../designer/web/src/connections/document.ts";

const postgres = {
  name: "postgres",
  port: 5432,
  fields: ["database", "username", "passwordRef", "tls"],
  required: ["database", "username"],
  options: [{ name: "timeZone" }, { name: "searchPath" }],
};
const mysql = { ...postgres, name: "mysql", port: 3306, options: [{ name: "timeZone" }] };
const local = { ...postgres, name: "embedded", port: null, fields: [], required: [], options: [] };

test("another kind takes along what it has, too, and fields that the form does not know", () => {
  const document = {
    ...{ kind: "postgres", servers: ["db:5432"], database: "d", username: "u", passwordRef: "P", tls: {} },
    ...{ options: { timeZone: "Z", searchPath: "a" }, later: 1 },
  };
  assert.deepEqual(withKind(document, mysql), { ...document, kind: "mysql", options: { timeZone: "Z" } });
  assert.deepEqual(withKind(document, local), { kind: "embedded", later: 1 });
});

test("a server is written as a list or as a host with its port, and nothing of it is lost", () => {
  const list = { kind: "postgres", servers: ["db.example.org:5433"] };
  const host = withHost(list, true);
  assert.deepEqual(host, { kind: "postgres", host: "db.example.org", port: 5433 });
  assert.deepEqual(withHost(host, false), list);
  assert.deepEqual(withHost({ kind: "postgres", servers: ["db"] }, true), { kind: "postgres", host: "db" });
});

test("flows are those of the group, all, or patterns, which begin with the group", () => {
  const document = { kind: "postgres" };
  const some = withFlowChoice(document, "some", "team-a.db");
  assert.deepEqual([some, flowChoiceOf(some)], [{ kind: "postgres", flows: ["team-a.*"] }, "some"]);
  const all = withFlowChoice(some, "all", "team-a.db");
  assert.deepEqual([all, flowChoiceOf(all)], [{ kind: "postgres", flows: ["*"] }, "all"]);
  assert.deepEqual(withFlowChoice(all, "group", "team-a.db"), document);
});

test("lines that are empty while one types are not sent, and what a document needs is named", () => {
  assert.deepEqual(sentOf({ kind: "postgres", servers: ["a:1", ""], alsoServers: [""] }), {
    ...{ kind: "postgres", servers: ["a:1"] },
  });
  assert.deepEqual(missingIn({ kind: "postgres", servers: [""], username: "u" }, postgres), ["database", "servers"]);
  assert.deepEqual(missingIn({ kind: "postgres", port: 1, database: "d", username: "u" }, postgres), ["host"]);
  assert.deepEqual(missingIn({ kind: "embedded" }, local), []);
  assert.deepEqual(missingIn({}, undefined), ["kind"]);
});

test("the last option takes its object along; tls without any stays, since it encrypts", () => {
  const options = withPart({ kind: "postgres" }, "options", "timeZone", "Z");
  assert.deepEqual(withPart(options, "options", "timeZone", undefined), { kind: "postgres" });
  const tls = withPart({ kind: "postgres", tls: {} }, "tls", "serverName", "db", true);
  assert.deepEqual(withPart(tls, "tls", "serverName", undefined, true), { kind: "postgres", tls: {} });
});
