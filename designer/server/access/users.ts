/** The file of users: names, roles and password hashes. */
import * as z from "zod";
import { roles, type User } from "../../shared/wire.ts";
import { hashProblem, isPassword, type PasswordHash, readHash } from "./passwords.ts";

const mostUsers = 1000;

const schema = z.strictObject({
  users: z
    .array(
      z.strictObject({
        name: z.string().min(1, "must have a character").max(200, "must have at most 200 characters"),
        role: z.enum(roles, `must be ${roles.join(", ")}`),
        hash: z.string().check(({ value, issues }) => {
          const problem = hashProblem(value);
          if (problem !== undefined) issues.push({ code: "custom", input: "", message: problem });
        }),
      }),
    )
    .min(1, "must have at least one user")
    .max(mostUsers, `must have at most ${mostUsers} users`),
});

/** Somebody who is not there takes as long to refuse as somebody who is. */
const nobody: PasswordHash = { ln: 17, r: 8, p: 1, salt: Buffer.alloc(16), key: Buffer.alloc(32) };

export class Users {
  readonly #users: ReadonlyMap<string, { readonly user: User; readonly hash: PasswordHash }>;

  private constructor(users: ReadonlyMap<string, { readonly user: User; readonly hash: PasswordHash }>) {
    this.#users = users;
  }

  /** @param value the content of the file. Returns the problems of what is wrong. */
  static read(value: unknown): Users | { readonly problems: readonly string[] } {
    const read = schema.safeParse(value);
    if (!read.success)
      return { problems: read.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`) };
    const users = new Map(
      read.data.users.map(({ name, role, hash }) => [name, { user: { name, role }, hash: readHash(hash) }]),
    );
    if (users.size < read.data.users.length) return { problems: ["users: two have the same name"] };
    return new Users(users);
  }

  /** In the order of the file. */
  list(): readonly User[] {
    return [...this.#users.values()].map(({ user }) => user);
  }

  /** Returns the user whose password it is. */
  async login(name: string, password: string): Promise<User | undefined> {
    const found = this.#users.get(name);
    const slowest = [...this.#users.values()][0]?.hash ?? nobody;
    const right = await isPassword(password, found?.hash ?? { ...nobody, ln: slowest.ln, r: slowest.r, p: slowest.p });
    return right ? found?.user : undefined;
  }
}
