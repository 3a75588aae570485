import { expect, test } from "vitest";
import { read } from "./files.ts";

const PAGE = "docs/security.md";

/** The page's statements about the action: the list items above "Limits". */
const [STATEMENTS = ""] = read(PAGE).split("\n## Limits\n");

test.each(STATEMENTS.match(/^- .*$/gm) ?? [])(
  "the security page names a test for: %s",
  (statement) => {
    expect(statement).toMatch(
      /\(\[[^\]]+\]\(\.\.\/[\w/.-]+\.test\.ts\)(?:, \[[^\]]+\]\(\.\.\/[\w/.-]+\.test\.ts\))*\)$/,
    );
  },
);
