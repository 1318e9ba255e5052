/** Ids in paths. */
import type { ErrorCode } from "../../../../src/shared/errors.ts";
import { webhook } from "../../../support/flows.ts";
import type { Case, Group } from "../case.ts";

type Row = readonly [name: string, id: string, status: number, code?: ErrorCode];

const rows: readonly Row[] = [
  ["empty", "", 400, "bad_id"],
  ["a blank", "%20", 400, "bad_id"],
  ["a hyphen in front", "-a", 400, "bad_id"],
  ["a dot in front", ".hidden", 400, "bad_id"],
  ["a dot at the end", "a.", 400, "bad_id"],
  ["two dots", "a..b", 400, "bad_id"],
  ["129 characters", "a".repeat(129), 400, "bad_id"],
  ["5000 characters", "a".repeat(5000), 400, "bad_id"],
  ["a device", "CON", 400, "bad_id"],
  ["a device with an extension", "con.x", 400, "bad_id"],
  ["a device with a digit", "LPT1", 400, "bad_id"],
  ["a device with a raised digit", "COM%C2%B9", 400, "bad_id"],
  ["an emoji", "%F0%9F%98%80", 400, "bad_id"],
  ["e with acute, composed", "%C3%A9", 400, "bad_id"],
  ["e with acute, combining", "e%CC%81", 400, "bad_id"],
  ["__proto__", "__proto__", 400, "bad_id"],
  ["a percent sign", "a%25b", 400, "bad_id"],
  ["a colon", "a%3Ab", 400, "bad_id"],
  ["a quotation mark and a tag", "%22%3Cb%3E", 400, "bad_id"],
  ["a shell's words", "a;$(id)", 400, "bad_id"],
  ["a full-width solidus", "a%EF%BC%8Fb", 400, "bad_id"],
  ["a slash", "a/b", 404, "not_found"],
  ["a slash at the end", "a/", 404, "not_found"],
  ["another case of one that exists", "ECHO", 409, "id_case_clash"],
  ["128 characters", "a".repeat(128), 201],
  ["constructor", "constructor", 201],
  ["toString", "toString", 201],
  ["a digit", "0", 201],
];

const unknown: readonly Case[] = ["hasOwnProperty", "valueOf", "echo2", "A-b_c.d", "comx", "a.con"].map((id) => ({
  name: `a flow that does not exist: ${id}`,
  method: "GET",
  path: `/_api/flows/${id}`,
  status: 404,
  code: "not_found",
}));

export const ids: Group = {
  group: "ids",
  cases: [
    ...rows.map(
      ([name, id, status, code], index): Case => ({
        name,
        method: "PUT",
        path: `/_api/flows/${id}`,
        body: JSON.stringify({ yaml: webhook(`id-case-${index}`, "stop: {}") }),
        status,
        ...(code && { code }),
      }),
    ),
    ...unknown,
    { name: "no id of a run", method: "GET", path: "/_api/runs/-", status: 400, code: "bad_id" },
    {
      name: "a run that does not exist",
      method: "POST",
      path: "/_api/runs/none/cancel",
      status: 404,
      code: "not_found",
    },
    { name: "no id of a policy's flow", method: "GET", path: "/_api/auth/con", status: 400, code: "bad_id" },
    { name: "no id of a mapping", method: "GET", path: "/_api/value-mappings/-x", status: 400, code: "bad_id" },
  ],
};
