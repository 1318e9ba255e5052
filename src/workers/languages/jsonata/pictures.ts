/**
 * Pictures of dates and numbers (`[Y0001]-[M01]`, `#,##0.00`), which the library parses anew at each call; messages may
 * provide them.
 */
import type { Budget } from "../budget.ts";

export const longestPicture = 1000;

/** Functions whose second argument is a picture, and their signatures. */
export const pictured: Readonly<Record<string, string>> = {
  fromMillis: "<n-s?s?:s>",
  toMillis: "<s-s?:n>",
  formatNumber: "<n-so?:s>",
  formatInteger: "<n-s:s>",
  parseInteger: "<s-s:n>",
};

/** Checks a picture's length. Throws LimitExceededException. */
export function checkPicture(picture: unknown, budget: Budget): void {
  if (typeof picture === "string" && picture.length > longestPicture) {
    throw budget.exceeded(`takes pictures of at most ${longestPicture} characters`);
  }
}
