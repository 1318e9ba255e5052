/** The address of the page as a store, and how to go elsewhere. */
import { useStore } from "../ui/use-store.ts";
import { type Address, hashOf, readHash } from "./hash.ts";

let hash = "";
let address: Address = readHash(hash);

const current = {
  get(): Address {
    if (location.hash !== hash) {
      hash = location.hash;
      address = readHash(hash);
    }
    return address;
  },
  subscribe(listener: () => void): () => void {
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  },
};

export function useAddress(): Address {
  return useStore(current);
}

export function goTo(...segments: readonly string[]): void {
  location.hash = hashOf(segments);
}
