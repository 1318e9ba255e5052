/** Imports only the connection pools of undici, which load in a third of the time and memory of the whole library. */
import type { Dispatcher, Agent as UndiciAgent } from "undici";
// @ts-expect-error: types are there for the whole package only.
import agent from "undici/lib/dispatcher/agent.js";

export const Agent = agent as typeof UndiciAgent;
export type Agent = UndiciAgent;
export type { Dispatcher };
