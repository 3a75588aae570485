import { expect, test } from "vitest";
import { read } from "./files.ts";

const PAGE = "docs/security.md";

/** The statements of the page about what the action does: the list items of all sections but the last two. */
const [STATEMENTS = ""] = read(PAGE).split("\n## Limits\n");

test.each(STATEMENTS.match(/^- .*$/gm) ?? [])("a test is named for: %s", (statement) => {
  expect(statement).toMatch(
    /\(\[[^\]]+\]\(\.\.\/[\w/.-]+\.test\.ts\)(?:, \[[^\]]+\]\(\.\.\/[\w/.-]+\.test\.ts\))*\)$/,
  );
});
