/** Whether everyone who can see one repository can see another one, too. */

import type { Connect } from "../api/connect.ts";

/** A repository by its name. */
export interface KnownRepository {
  readonly name: string;
  /** Null if not known. */
  readonly id: number | null;
}

/** Null if it could not be read, or if the name belongs to another repository now. */
export type LevelOf = (
  repository: KnownRepository,
) => Promise<"PUBLIC" | "INTERNAL" | "PRIVATE" | null>;

/** Reads each repository's visibility once. */
export function visibilities(connect: Connect): LevelOf {
  const read: LevelOf = async ({ name: repository, id }) => {
    const github = await connect();
    const answer = await github.repositories.visibility({ repository });
    if (answer.type !== "known") return null;
    const { databaseId = null, visibility } = answer.value.repository;
    return id === null || databaseId === id ? visibility : null;
  };
  const known = new Map<string, ReturnType<LevelOf>>();
  return (repository) => {
    const key = `${repository.name.toLowerCase()} ${repository.id}`;
    const asked = known.get(key) ?? read(repository);
    known.set(key, asked);
    return asked;
  };
}

/** Whether everyone who can see a place can see a repository. Of two private ones, nobody knows. */
export async function isSeenAt(
  place: KnownRepository,
  repository: KnownRepository,
  levelOf: LevelOf,
): Promise<boolean> {
  const isSameName = place.name.toLowerCase() === repository.name.toLowerCase();
  const isSameId = place.id !== null && place.id === repository.id;
  const isOther = place.id !== null && repository.id !== null && !isSameId;
  if (isSameId || (isSameName && !isOther)) return true;
  const visibility = await levelOf(repository);
  if (visibility !== "INTERNAL") return visibility === "PUBLIC";
  return (await levelOf(place)) === "INTERNAL";
}
