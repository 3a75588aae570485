/** What files are at a commit: GitHub's lists of changed files do not say it. */

import { type Fact, known } from "../../runtime/fact.ts";
import type { GitHub } from "../api/client.ts";

/** Git's modes of a symbolic link and of a submodule. */
const LINKS = [0o120000, 0o160000];

/** The symbolic links and submodules among some paths that a commit has. */
export async function linksAt(
  github: GitHub,
  place: { readonly repository: string; readonly head: string },
  paths: readonly string[],
): Promise<Fact<readonly string[]>> {
  const { repository, head: oid } = place;
  const asked = paths.map(async (path) => ({
    path,
    mode: await github.commits.fileMode({ repository, oid, path }),
  }));
  const links: string[] = [];
  for (const { path, mode } of await Promise.all(asked)) {
    if (mode.type !== "known") return mode;
    const { object } = mode.value.repository;
    if (object?.file && LINKS.includes(object.file.mode)) links.push(path);
  }
  return known(links);
}
