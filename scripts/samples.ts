/**
 * Copies the sample flows of routes/samples/ into routes/ before the first `npm start` of a checkout, so that the
 * runtime has flows to serve and no file under version control is what gets deployed, changed or deleted later. Leaves
 * alone a checkout that has been started (DATA_DIR has something in it) or has flows of its own, and any other
 * ROUTES_DIR.
 */
import { cpSync, existsSync, readdirSync } from "node:fs";

const samples = "routes/samples";
const { ROUTES_DIR = "", DATA_DIR = "" } = process.env;

const isDefault = ROUTES_DIR.trim() === "" && existsSync(samples);

if (isDefault && isEmpty(DATA_DIR.trim() || "data") && !hasFlows("routes")) {
  try {
    cpSync(samples, "routes", { recursive: true, force: false });
    console.error(`first start: the sample flows of ${samples}/ are copied into routes/`);
  } catch (error) {
    console.error(`the sample flows of ${samples}/ are not copied into routes/: ${(error as Error).message}`);
  }
}

function isEmpty(directory: string): boolean {
  return !existsSync(directory) || readdirSync(directory).length === 0;
}

function hasFlows(directory: string): boolean {
  return readdirSync(directory).some((name) => /\.ya?ml$/.test(name));
}
