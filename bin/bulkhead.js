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
    .catch(function () {
      refuse(false);
    });
}

/** Runs this command with the Node.js that `npm ci` has installed beside it. */
function handOver(modules) {
  var file = modules[0].realpathSync(process.argv[1]);
  var root = modules[1].join(file, "..", "..");
  var own = modules[1].join(root, "node_modules", "node", "bin", "node");
  if (!modules[0].existsSync(own)) {
    // A package that is installed has no lock file.
    refuse(modules[0].existsSync(modules[1].join(root, "package-lock.json")));
    return;
  }
  // The child reads the end of the pipe when this process is gone, however that ended: see src/cli/parent.ts.
  var child = modules[2].spawn(own, [file].concat(process.argv.slice(2)), {
    env: Object.assign({}, process.env, { BULKHEAD_PARENT_FD: "3" }),
    stdio: ["inherit", "inherit", "inherit", "pipe"],
  });
  if (child.stdio[3]) child.stdio[3].unref();
  // A terminal sends Ctrl-C and its end to both processes.
  ["SIGINT", "SIGHUP", "SIGTERM"].forEach(function (signal) {
    process.on(signal, function () {
      if (signal === "SIGTERM" || !process.stdin.isTTY) child.kill(signal);
    });
  });
  child.on("error", function () {
    refuse(true);
  });
  child.on("exit", function (code, signal) {
    process.exitCode = code === null ? 1 : code;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function refuse(isCheckout) {
  var advice = isCheckout ? "`npm ci` in its folder installs the right one" : "install a later Node.js";
  console.error("bulkhead needs Node.js 24.12 or later and this is " + version + ": " + advice);
  process.exitCode = 1;
}
