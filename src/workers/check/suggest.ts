/** Names that a check suggests: control suggests them in the same way. */
export { closest, didYouMean, listed, misspelt } from "../../shared/suggest.ts";
