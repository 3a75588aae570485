/** What the guard rails, the code and people keep land from merging. */

import { fixed, varying } from "../runtime/reason.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { mergedOnce } from "./reason-kinds.ts";

export const RULE_REASONS = {
  // Change limits.
  "too-many-files": varying(
    "person",
    null,
    { count: 6, most: 5 },
    ({ count, most }) =>
      `It changes ${counted(count, "file")}, more than \`max-files\` allows (${most}).`,
    "Merge it by hand, or raise `max-files`.",
  ),
  "files-unlisted": fixed(
    "person",
    null,
    "It changes more files than GitHub lists, so the guard rails cannot be checked.",
    "Merge it by hand.",
  ),
  "path-not-allowed": varying(
    "person",
    null,
    { path: "src/a.ts" },
    ({ path }) => `It changes ${inlineCode(path, 100)}, which \`allowed-paths\` does not allow.`,
    "Merge it by hand, or name the path in `allowed-paths`.",
  ),
  "path-not-named": varying(
    "person",
    null,
    { path: "docs/CODEOWNERS" },
    ({ path }) =>
      `It changes ${inlineCode(path, 100)}, which only its full name in \`allowed-paths\` allows.`,
    "Merge it by hand, or name the path in full.",
  ),
  "link-not-named": varying(
    "person",
    null,
    { path: "docs/latest" },
    ({ path }) =>
      `It changes ${inlineCode(path, 100)}, a symbolic link or a submodule, which only its full ` +
      "name in `allowed-paths` allows.",
    "Merge it by hand, or name the path in full.",
  ),
  removal: varying(
    "reviewer",
    null,
    { path: "docs/retries.png" },
    ({ path }) =>
      `It deletes or renames ${inlineCode(path, 100)}, so it is merged once somebody with write ` +
      "permission approves its last commit.",
    "Approve it.",
  ),
  // Merging.
  "merge-never": fixed("reviewer", null, "A person reviews and merges it.", "Merge it."),
  draft: fixed(
    "reviewer",
    null,
    "It is a draft. Mark it as ready for review to have it merged.",
    "Choose *Ready for review*.",
  ),
  objection: varying<{ readonly author: string | null }>(
    "reviewer",
    null,
    { author: "ada" },
    ({ author }) =>
      mergedOnce(
        `${author === null ? "a reviewer" : inlineCode(author, 60)} no longer asks for changes`,
      ),
    "Its author approves, or the review is dismissed.",
  ),
  approval: fixed(
    "reviewer",
    null,
    mergedOnce("somebody with write permission approves its last commit"),
    "Approve it.",
  ),
  "base-changed": fixed(
    "person",
    null,
    "Its base was changed after land had found it. It is merged once somebody with write " +
      "permission approves it after that.",
    "Approve it again.",
  ),
  "base-changed-for-good": fixed(
    "person",
    null,
    "Its base was changed after land had found it, so its checks do not say whether it may be merged into this one.",
    "Merge it by hand.",
  ),
  "reviews-wanted": fixed(
    "reviewer",
    null,
    mergedOnce("it has the reviews that the rules of its base want"),
    "Review it.",
  ),
  "comments-open": fixed(
    "reviewer",
    null,
    mergedOnce(
      "its review comments are resolved by somebody with write permission, or it is approved",
    ),
    "Resolve them, or approve it.",
  ),
  "comments-after-approval": fixed(
    "reviewer",
    null,
    mergedOnce(
      "the review comments after its approval are resolved by somebody with write permission, or it is approved again",
    ),
    "Resolve them, or approve it again.",
  ),
};
