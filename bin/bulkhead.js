#!/usr/bin/env node
// In old syntax, so that an old Node.js can read it; a script or a module, whichever it takes it for.
var version = process.versions.node;
var parts = version.split(".");
var major = Number(parts[0]);

if (major > 24 || (major === 24 && Number(parts[1]) >= 12)) {
  void import("./entry.js").then(function (entry) {
    return import(entry.prepared());
  });
} else {
  Promise.all([import("node:fs"), import("node:path"), import("node:child_process")])
    .then(handOver)
    .catch(refuse);
}

/** Runs this command with the Node.js that `npm ci` has installed beside it. */
function handOver(modules) {
  var file = modules[0].realpathSync(process.argv[1]);
  var own = modules[1].join(file, "..", "..", "node_modules", "node", "bin", "node");
  if (!modules[0].existsSync(own)) {
    refuse();
    return;
  }
  var child = modules[2].spawn(own, [file].concat(process.argv.slice(2)), { stdio: "inherit" });
  // A terminal sends Ctrl-C and its end to both processes.
  ["SIGINT", "SIGHUP", "SIGTERM"].forEach(function (signal) {
    process.on(signal, function () {
      if (signal === "SIGTERM" || !process.stdin.isTTY) child.kill(signal);
    });
  });
  child.on("error", refuse);
  child.on("exit", function (code, signal) {
    process.exitCode = code === null ? 1 : code;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function refuse() {
  console.error(
    "bulkhead needs Node.js 24.12 or later and this is " + version + ": `npm ci` in its folder installs the right one",
  );
  process.exitCode = 1;
}
