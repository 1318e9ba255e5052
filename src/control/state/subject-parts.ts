/** What a subject is made of when its group's file is opened. */
import type { Claims } from "./claims.ts";
import type { FailedBounds } from "./failed-operations.ts";
import type { GroupDatabase } from "./group-database.ts";
import type { HeldGroups } from "./held-groups.ts";
import type { Repositories } from "./repositories.ts";

/** The most keys (groups count as such) and bytes of the repositories of one flow. */
export interface StateBounds {
  readonly mostKeys: number;
  readonly mostBytes: number;
}

export interface SubjectParts {
  readonly database: GroupDatabase;
  /** Owners and repositories, and how much each repository holds. */
  readonly repositories: Repositories;
  readonly claims: Claims;
  readonly held: HeldGroups;
  readonly bounds: StateBounds;
  readonly failed: FailedBounds;
  /** Of the process: what another one had under way is not under way any more. */
  readonly session: string;
  /** Keys of 32 bytes: messages are encrypted with the first, and read with any of them. */
  readonly dataKeys: readonly [Uint8Array, ...Uint8Array[]];
}
