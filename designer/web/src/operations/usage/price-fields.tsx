/** The prices by which the cost of flows is counted; this browser keeps them. */
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import type { Prices } from "./costs.ts";
import { prices, setPrices } from "./prices.ts";

const { usage: texts } = words.operations;

export function PriceFields() {
  const priced = useStore(prices);
  const field = (name: keyof Prices) => (
    <label className="price">
      {texts.prices[name]}
      <input
        className="input"
        type="number"
        min="0"
        step="any"
        placeholder="0"
        value={priced[name] === 0 ? "" : priced[name]}
        onChange={({ target: { valueAsNumber } }) =>
          setPrices({ ...priced, [name]: valueAsNumber > 0 ? valueAsNumber : 0 })
        }
      />
    </label>
  );
  return (
    <>
      {field("cpuHour")}
      {field("gigabyte")}
    </>
  );
}
