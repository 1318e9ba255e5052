/** Bodies in one character set that are written in another one: to files, from files, and as mails. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type Encoding, encodings, words } from "../support/encodings.ts";
import { startMailServer } from "../support/mail-server.ts";
import { httpRoute, says, withFlow } from "../support/platform-http.ts";

/** Two sets and a word that both have. */
const pairs = fc
  .tuple(fc.constantFrom(...encodings), fc.constantFrom(...encodings))
  .chain(([from, to]) => fc.tuple(fc.constant(from), fc.constant(to), words(common(from, to))));

function common(one: Encoding, other: Encoding): string {
  return [...one.characters].filter((character) => other.characters.includes(character)).join("");
}

/** The sets in which text is written: UTF-16 is written with a mark, high byte first. */
function written(name: string, text: string): Uint8Array {
  return (encodings.find((encoding) => encoding.name === name) as Encoding).encode(text);
}

const names = [...new Set(encodings.map(({ name }) => name))];
const file = (name: string): string => `file:out?fileName=${name}.txt&charset=${name}`;

test("a body of any character set is written to a file in the one of the endpoint, and read from it as it was", async (t) => {
  const routes = names.flatMap((name) => [
    httpRoute(`to-${name}`, `/to/${name}`, `to: "${file(name)}"`, says("stored")),
    httpRoute(
      `from-${name}`,
      `/from/${name}`,
      `pollEnrich: { constant: "${file(name)}&delete=true" }`,
      says("${body}"),
    ),
  ]);
  const app = await withFlow(t, routes.join(""));
  const check = async ([from, to, word]: readonly [Encoding, Encoding, string]): Promise<void> => {
    const type = `text/plain; charset=${from.name}`;
    assert.equal(await (await app.sendBytes(`/to/${to.name}`, from.encode(word), type)).text(), "stored");
    const stored = await readFile(join(app.directory, "files", "f", "out", `${to.name}.txt`));
    assert.deepEqual([...stored], [...written(to.name, word)], `${from.name} ${to.name} ${word}`);
    assert.equal(await app.text(`/from/${to.name}`), `200 ${word}`);
  };
  await fc.assert(fc.asyncProperty(pairs, check), { numRuns: 60 });
});

test("a body of any character set is the text of a mail in the one that the mail says", async (t) => {
  const server = await startMailServer(t, { disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const to = (name: string): string =>
    `to: { uri: "smtp:127.0.0.1:${server.port}", parameters: { to: a@example.org, contentType: "text/plain; charset=${name}" } }`;
  const app = await withFlow(
    t,
    names.map((name) => httpRoute(`m-${name}`, `/${name}`, to(name), says("sent"))).join(""),
    {
      egressAllow: `127.0.0.1:${server.port}`,
    },
  );
  const check = async ([from, to, word]: readonly [Encoding, Encoding, string]): Promise<void> => {
    const answer = await app.sendBytes(`/${to.name}`, from.encode(word), `text/plain; charset=${from.name}`);
    assert.equal(await answer.text(), "sent");
    const { text = "" } = server.mails.at(-1) ?? {};
    assert.match(text.toLowerCase(), new RegExp(`content-type: text/plain; charset="?${to.name}`));
    // Bytes that are in the mail's set already go as they came, with their mark.
    const expected = from.name === to.name ? from.encode(word) : written(to.name, word);
    assert.deepEqual([...contentOf(text)], [...expected], `${from.name} ${to.name} ${word}\n${text}`);
  };
  await fc.assert(fc.asyncProperty(pairs, check), { numRuns: 60 });
});

/** The content of a mail with one part. `mail`: its bytes as Latin-1. */
function contentOf(mail: string): Uint8Array {
  const end = mail.indexOf("\r\n\r\n");
  const [head, body] = [mail.slice(0, end), mail.slice(end + 4)];
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, "base64");
  const lines = body.replace(/\r\n$/, "");
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return Buffer.from(lines, "latin1");
  const plain = lines
    .replaceAll("=\r\n", "")
    .replaceAll(/=([\dA-F]{2})/g, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  return Buffer.from(plain, "latin1");
}
