/** Time zones as Java names them: `UTC`, `GMT+8`, `+02:00`, `Europe/Berlin`. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";

export interface Zone {
  /** Minutes east of Greenwich at a time in epoch milliseconds. */
  offset(time: number): number;
  name(time: number, long: boolean): string;
}

export const localZone: Zone = {
  offset: (time) => -new Date(time).getTimezoneOffset(),
  name: (time, long) => zoneName(undefined, time, long),
};

const fixedOffset = /^(?:GMT|UTC)?([+-])(\d{1,2})(?::?(\d{2}))?$/;

/** Finds a zone. Throws ExpressionSyntaxError if it does not exist; Java would silently use GMT. */
export function zoneOf(name: string, index: number): Zone {
  const found = fixedOffset.exec(name);
  if (found !== null) {
    const minutes = (found[1] === "-" ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3] ?? 0));
    return { offset: () => minutes, name: () => name };
  }
  if (name === "Z" || name === "UTC" || name === "GMT") return { offset: () => 0, name: () => name };
  let offsets: Intl.DateTimeFormat;
  try {
    offsets = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    throw new ExpressionSyntaxError(`unknown time zone '${name}': write UTC, GMT+8 or Europe/Berlin`, index);
  }
  return {
    offset: (time) => {
      const text = offsets.formatToParts(time).find((part) => part.type === "timeZoneName")?.value ?? "";
      const parts = fixedOffset.exec(text);
      return parts === null ? 0 : (parts[1] === "-" ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3] ?? 0));
    },
    name: (time, long) => zoneName(name, time, long),
  };
}

/** Each locale has the short names of some regions, and `GMT+2` for others. */
const locales = ["en-US", "en-GB", "en-IN", "en-AU"];

function zoneName(zone: string | undefined, time: number, long: boolean): string {
  let name = "";
  for (const locale of locales) {
    const format = new Intl.DateTimeFormat(locale, {
      ...(zone === undefined ? {} : { timeZone: zone }),
      timeZoneName: long ? "long" : "short",
    });
    name = format.formatToParts(time).find((part) => part.type === "timeZoneName")?.value ?? "";
    if (!/^GMT[+-]/.test(name)) break;
  }
  return name;
}
