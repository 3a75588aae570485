import type { GitHub } from "./github.ts";
import type { MergeMethod } from "./merge.ts";

export interface GrowOptions {
  /** `owner/name` of a new repository. */
  repository: string;
  /** How many pull requests were merged, evenly over the time. */
  pulls: number;
  /** How many commits each has. Default: 5. */
  commits?: number;
  method?: MergeMethod;
  /** How long ago that began. Default: 30. */
  days?: number;
  /** Further branches with the same commits as `main`. */
  branches?: string[];
}

const DAY = 24 * 60 * 60 * 1000;

/** Makes a repository that has grown for some time; returns the commit before the first merge. */
export function grow(github: GitHub, options: GrowOptions): string {
  const { pulls, commits = 5, method, days = 30, branches = [] } = options;
  github.site.advance(-days * DAY);
  const repository = github.create(options.repository);
  const start = repository.tip();
  for (let number = 1; number <= pulls; number += 1) {
    github.site.advance((days * DAY) / (pulls + 1));
    repository.land({ commits: Array.from({ length: commits }, () => ({})) }, method);
  }
  github.site.advance((days * DAY) / (pulls + 1));
  for (const branch of branches) repository.forcePush(repository.tip(), branch);
  return start;
}
