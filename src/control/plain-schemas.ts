/**
 * Schemas are interpreted, not turned into code: a start reads a few small documents, each once, and making code of their schemas
 * takes longer than all of the reading. Imported before any module that makes a schema.
 */
import * as z from "zod";

z.config({ jitless: true });
