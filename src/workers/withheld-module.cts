/**
 * What libraries get for the modules of withheld.ts: a logger that logs nothing, as `debug` makes them, and what the libraries
 * take from Node's modules while they load. Whoever uses the latter gets an error.
 */

function refuse(): never {
  throw Object.assign(new Error("threads that run flows have no access to this module"), { code: "ERR_ACCESS_DENIED" });
}

class Agent {
  constructor() {
    refuse();
  }
}

function silentLogger(): unknown {
  return Object.assign(() => {}, { enabled: false, extend: silentLogger });
}

module.exports = Object.assign(silentLogger, { formatters: {} });
// Each by itself: Node reads the names that a module exports from its text.
module.exports.Agent = Agent;
module.exports.constants = {};
module.exports.execFile = refuse;
module.exports.get = refuse;
module.exports.request = refuse;
module.exports.spawn = refuse;
