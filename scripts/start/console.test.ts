import { expect, test } from "vitest";
import { withoutHidden } from "./console.ts";

test("markers and the source of charts are left out, the rest of a text stays", () => {
  const markdown = [
    "<!-- docs-agent-ledger:1 -->",
    "",
    "**2 of 2 changes**",
    "",
    "```mermaid",
    "pie showData",
    "```",
    "",
    "```ts",
    "// code",
    "```",
    "",
    "<!-- docs-agent:a.b -->",
  ];
  expect(withoutHidden(markdown.join("\n"))).toBe(
    "**2 of 2 changes**\n\n(GitHub shows a pie chart here.)\n\n```ts\n// code\n```",
  );
});
