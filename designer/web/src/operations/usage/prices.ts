/** The prices that the person has given; this browser keeps them. */
import { readKept, writeKept } from "../../ui/kept.ts";
import { createStore } from "../../ui/store.ts";
import { type Prices, readPrices } from "./costs.ts";

const key = "prices";

export const prices = createStore<Prices>(readPrices(readKept(key)));

export function setPrices(next: Prices): void {
  prices.set(next);
  writeKept(key, JSON.stringify(next));
}
