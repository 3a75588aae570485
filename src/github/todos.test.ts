import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { hostileText } from "../../test/support/arbitrary.ts";
import { runs } from "../../test/support/sample.ts";
import { type Report, renderReport } from "./report.ts";

const report: Report = {
  severity: "working",
  headline: "the agent is working",
  what: "",
  quote: "",
  notes: [],
  advice: "",
  message: "",
  todos: [],
  pullRequest: null,
  jobId: "session_1",
  status: "active",
  took: undefined,
  runUrl: "",
};

const STATUSES = ["completed", "in_progress", "pending", "cancelled", "unheard-of"];

test("no to-do or message whatever leaves its place", () => {
  const todo = fc.record({
    content: hostileText(),
    status: fc.constantFrom(...STATUSES),
    id: fc.constant(""),
    priority: hostileText({ maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(todo, { maxLength: 5 }), hostileText(), (todos, message) => {
      const shown = rendered(renderReport({ ...report, todos, message: `m${message}` }));
      const own = shown.replaceAll(/<code( class="language-text")?>[^<]*<\/code>/g, "CODE");
      // A text of several lines is a block.
      const said = own.replace("<pre>CODE</pre>", "<p>CODE</p>");
      const item =
        /<li><input type="checkbox" disabled=""( checked="")? \/> (CODE|<del>CODE<\/del>)( ← now| cancelled)?<\/li>\n/g;
      expect(said.replaceAll(item, "").replace(/<ul( class="[^"]*")?>\n<\/ul>\n/, "")).toBe(
        "<h3>⏳ Docs agent: the agent is working</h3>\n<p>The agent says:</p>\n<p>CODE</p>\n<p>Status CODE · Job CODE</p>",
      );
    }),
    { numRuns: runs(150) },
  );
});

test("an item in which there is nothing to see is not shown", () => {
  const empty = { id: "1", content: "\u200B", status: "cancelled", priority: "" };
  expect(renderReport({ ...report, todos: [empty] })).toBe(renderReport(report));
});
