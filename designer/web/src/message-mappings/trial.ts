/** Tries an open mapping with a message while it is edited: the runtime maps the document as it stands in the editor. */
import { createStore, type Store } from "../ui/store.ts";
import { type TrialAnswer, tryMapping } from "./mapping-api.ts";
import { aroundMembers, inputOf, listAt, type TrialMessage, testIndexOf } from "./message.ts";
import type { MappingSession } from "./session.ts";

export interface TrialState {
  /** The last answer that has a result; it stays while a document is typed that cannot be mapped with. */
  readonly result: TrialAnswer | undefined;
  /** Of the document as it was sent last. */
  readonly problems: NonNullable<TrialAnswer["problems"]>;
  readonly warnings: NonNullable<TrialAnswer["warnings"]>;
  readonly tests: TrialAnswer["tests"];
  /** The message cannot be sent: the body, or what is around it, is not JSON. */
  readonly message: "body" | "around" | undefined;
  /** Why the runtime has not answered. */
  readonly error: unknown;
  /** The body as the rules see it: for XML its form as data. undefined: not known. */
  readonly source: unknown;
  /** A change is not answered yet. */
  readonly isPending: boolean;
}

/** How long typing must rest before the runtime is asked, in milliseconds. */
const pauseMs = 250;
/** Documents with more tests than this run them when they are saved only. */
const mostTests = 100;

const none: TrialState = {
  ...{ result: undefined, problems: [], warnings: [], tests: undefined, message: undefined },
  ...{ error: undefined, source: undefined, isPending: false },
};

export interface Trial extends Pick<Store<TrialState>, "get" | "subscribe"> {
  /** Begins to follow the document and the message. @returns ends it */
  start(): () => void;
}

export function trialOf(session: MappingSession, message: Store<TrialMessage>): Trial {
  const store = createStore(none);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = new AbortController();
  let asked = "";

  async function ask(): Promise<void> {
    const { json, document } = session.get();
    const format = formatOf(document);
    const sent = message.get();
    const input = inputOf(sent, format);
    const around = aroundMembers(sent);
    if (json.errors.length > 0) return;
    const runsTests = listAt(document, "tests").length <= mostTests;
    const body = bodyOf(json.text, input ?? "null", around ?? "", {
      tests: runsTests,
      frozen: testIndexOf(sent) !== undefined,
    });
    const wrong = input === undefined ? "body" : around === undefined ? "around" : undefined;
    if (body === asked && store.get().error === undefined && wrong === store.get().message) {
      store.set((before) => ({ ...before, isPending: false }));
      return;
    }
    asked = body;
    abort.abort();
    const mine = new AbortController();
    abort = mine;
    store.set((before) => ({ ...before, isPending: true }));
    try {
      const [answer, source] = await Promise.all([
        tryMapping(session.target, session.id, body, mine.signal),
        input === undefined ? undefined : sourceOf(session, input, format, mine.signal),
      ]);
      if (mine.signal.aborted) return;
      store.set((before) => {
        const { problems = [], warnings = [], tests } = answer;
        const result = problems.length > 0 || wrong !== undefined ? before.result : answer;
        const known = { problems, warnings, tests: problems.length > 0 ? before.tests : tests };
        return { ...known, result, source, message: wrong, error: undefined, isPending: false };
      });
    } catch (error) {
      if (!mine.signal.aborted) store.set((before) => ({ ...before, error, isPending: false }));
    }
  }

  function schedule(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), pauseMs);
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    start() {
      let { text } = session.get();
      const ends = [
        session.subscribe(() => {
          if (session.get().text === text) return;
          text = session.get().text;
          schedule();
        }),
        message.subscribe(schedule),
      ];
      void ask();
      return () => {
        for (const end of ends) end();
        clearTimeout(timer);
        abort.abort();
        asked = "";
      };
    },
  };
}

interface TrialOptions {
  readonly tests: boolean;
  readonly frozen: boolean;
}

function bodyOf(document: string, input: string, around: string, { tests, frozen }: TrialOptions): string {
  const more = around === "" ? "" : `, ${around}`;
  return `{"document": ${document}, "input": ${input}, "tests": ${tests}, "frozen": ${frozen}${more}}`;
}

/** XML is read by the runtime, so that its form as data is the one that rules get. */
async function sourceOf(session: MappingSession, input: string, format: string, signal: AbortSignal): Promise<unknown> {
  if (format !== "xml") return JSON.parse(input);
  const document = '{"source": {"format": "xml"}, "expression": "$"}';
  const { output } = await tryMapping(
    session.target,
    session.id,
    bodyOf(document, input, "", { tests: false, frozen: false }),
    signal,
  );
  return output;
}

export function formatOf(
  document: Readonly<Record<string, unknown>>,
  side: "source" | "target" = "source",
): "json" | "xml" {
  const part = document[side] as { readonly format?: unknown } | undefined;
  return typeof part?.format === "string" && part.format.toLowerCase() === "xml" ? "xml" : "json";
}
