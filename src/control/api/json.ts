/** The management API's JSON, which threads read too. */
export { decodeText, parseJson } from "../../shared/json.ts";
