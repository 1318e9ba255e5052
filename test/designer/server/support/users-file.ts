/** A file of users: one of each role, whose name and password are `viewer` and `password of viewer`, and so on. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { hashPassword } from "../../../../designer/server/access/passwords.ts";
import { roles } from "../../../../designer/shared/wire.ts";

const cheap = { ln: 14, r: 8, p: 1 };

/** @returns its path; it is gone after the test */
export async function usersFile(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-users-"));
  t.after(() => rm(directory, { recursive: true }));
  const hashes = await Promise.all(roles.map((name) => hashPassword(`password of ${name}`, cheap)));
  const lines = roles.map((name, index) => `  - { name: ${name}, role: ${name}, hash: "${hashes[index]}" }\n`);
  const file = join(directory, "users.yaml");
  await writeFile(file, `users:\n${lines.join("")}`);
  return file;
}
