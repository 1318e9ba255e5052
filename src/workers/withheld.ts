/**
 * Modules that client libraries load and that threads do not have, although nothing of theirs is used there. The libraries get a stub
 * (withheld-module.cts) in their place: in bundles by scripts/bundle.ts, in development by the thread's resolve hook (renounce.ts).
 */

/** For each library: `debug` would load `tty`; the others would start processes, or make requests beside the HTTP client, or of another kind. */
const withheld: Readonly<Record<string, readonly string[]>> = {
  "@platformatic/kafka": ["debug"],
  mqtt: ["debug"],
  "mqtt-packet": ["debug"],
  nodemailer: ["child_process", "http", "https"],
  rhea: ["debug"],
  ssh2: ["child_process", "http", "https"],
  // It makes no request of HTTP/2 unless it is asked to.
  undici: ["http2"],
  // Of mqtt.
  ws: ["https"],
};

const anywhere: ReadonlySet<string> = new Set(Object.values(withheld).flat());

/** true: the file that imports it, a path or a URL, belongs to a library that gets a stub for the module. */
export function isWithheld(module: string, importer = ""): boolean {
  const name = module.replace(/^node:/, "");
  if (!anywhere.has(name)) return false;
  const [, library = ""] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(importer) ?? [];
  return withheld[library.replace("\\", "/")]?.includes(name) === true;
}
