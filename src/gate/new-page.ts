/** Where somebody adds a page of documentation to a pull request. */

import { safeLink } from "../text/link.ts";
import type { GatePull } from "./gate-pull.ts";
import type { GateRules } from "./inputs.ts";

/** What comes before the first wildcard of a pattern, up to its last folder. */
const FOLDER = /^[^*?+[\]]*\//;

/**
 * The form on GitHub that creates a page on the branch of a pull request, at a path that is documentation.
 *
 * @returns null if the branch's repository was deleted, or no pattern names such a path
 */
export function newPageLink(
  { headRepository, branch }: Pick<GatePull, "headRepository" | "branch">,
  { docsPaths, docsPatterns }: Pick<GateRules, "docsPaths" | "docsPatterns">,
  serverUrl: string,
): string | null {
  const path = docsPatterns.map(examplePath).find((example) => docsPaths.matches(example));
  if (headRepository === null || path === undefined) return null;
  return safeLink(
    `${serverUrl}/${headRepository}/new/${encoded(branch)}?filename=${encoded(path)}`,
  );
}

function examplePath(pattern: string): string {
  const [folder = ""] = FOLDER.exec(pattern) ?? [];
  return `${folder}new-page.${pattern.endsWith(".mdx") ? "mdx" : "md"}`;
}

/** Each part of a path by itself. */
function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
