/** The `mock` component (Camel: MockEndpoint). Test sessions take the place of its expectations. */
import { defineComponent } from "../engine/component.ts";

const inSessions = "what a mock expects is said in a test session (mockCalled), not in the flow: leave it out";

export const mock = defineComponent({
  scheme: "mock",
  docs: "Lets the message pass unchanged: a place in the flow where test sessions look or answer. A session's mock for `mock:result` may respond or throw in its place, or be a spy, which records what was sent; `mockCalled` asserts the calls.",
  path: "name",
  options: (z, { text, refused }) =>
    z.object({
      name: text("Names the place for test sessions and for `mockCalled`."),
      expectedCount: refused(inSessions),
      assertPeriod: refused(inSessions),
      failFast: refused(inSessions),
      resultWaitTime: refused(inSessions),
      resultMinimumWaitTime: refused(inSessions),
      sleepForEmptyTest: refused(inSessions),
      retainFirst: refused(inSessions),
      retainLast: refused(inSessions),
      reportGroup: refused(inSessions),
      copyOnExchange: refused(inSessions),
      browseLimit: refused(inSessions),
      log: refused("write a log step before it"),
    }),
  example: "to: { uri: mock:result }",
  effect: "none",
  producer: () => () => {},
});
