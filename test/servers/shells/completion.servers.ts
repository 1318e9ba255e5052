/** The scripts that complete commands, in shells that few machines have. */
import { test } from "node:test";
import { completesLikeAPerson } from "../../support/completing-shells.ts";
import { missing } from "../missing.ts";

for (const shell of ["zsh", "fish"] as const)
  test(`${shell} completes commands, kinds, options, their values and files`, { skip: missing(shell) }, (t) =>
    completesLikeAPerson(t, shell),
  );
