/**
 * The compiler's JavaScript API, under the name by which openapi-typescript imports it: `typescript` itself, from version 7 on, is a program
 * without one. @ts-morph/common brings the API of version 6 along, and no second `tsc`.
 */
import { ts } from "@ts-morph/common";

// biome-ignore lint/style/noDefaultExport: it is imported in place of a module with one.
export default ts;
