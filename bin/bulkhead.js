#!/usr/bin/env node
// In old syntax, so that an old Node.js can read it and say what it lacks; a script or a module, whichever it takes it for.
var version = process.versions.node;
var parts = version.split(".");
var major = Number(parts[0]);

if (major > 24 || (major === 24 && Number(parts[1]) >= 12)) {
  void import("./entry.js").then(function (entry) {
    return import(entry.prepared());
  });
} else {
  console.error(
    "bulkhead needs Node.js 24.12 or later and this is " + version + ": `npm start` runs it with the right one",
  );
  process.exitCode = 1;
}
