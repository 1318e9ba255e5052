/** The storm of guards takes each away by its text: a row whose text is not in its file, or is there twice, takes nothing away. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
