import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { hostileText } from "../../test/support/arbitrary.ts";
import { runs } from "../../test/support/sample.ts";
import type { Job } from "../service/agent.ts";
import { type Report, renderInvitation, renderReport, renderUsage } from "./comment-text.ts";

const todo = (content: string, status: string) => ({ id: "1", content, status, priority: "high" });

const JOB: Job = {
  ...{ id: "job_1", status: "completed", prLink: "https://github.com/octo/docs/pull/42" },
  ...{ model: null, repository: null, ref: null, createdAt: null, archivedAt: null },
  ...{ message: null, todos: null, failure: null, record: {} },
};
const REPORT: Report = {
  ...{ severity: "ok", headline: "pull request opened", what: "", quote: "", advice: "" },
  ...{ id: "job_1", job: JOB, notes: [], took: 192_000 },
  runUrl: "https://github.com/octo/docs/actions/runs/1001/attempts/1",
};

const reportOf = (job: Partial<Job>, more: Partial<Report> = {}) =>
  renderReport({ ...REPORT, job: { ...JOB, ...job }, ...more });

test("a report tells how it went, and links to the pull request and the run", () => {
  expect(renderReport({ ...REPORT, notes: ["A note."], advice: "Do this." })).toBe(
    [
      "### ✅ Docs agent: pull request opened",
      "**[Pull request #42](https://github.com/octo/docs/pull/42)**",
      "A note.",
      "Do this.",
      "Status `completed` · Job `job_1` · Took 3 min 12 s · [Workflow run](https://github.com/octo/docs/actions/runs/1001/attempts/1)",
    ].join("\n\n"),
  );
});

test("a report of nothing but a headline is nothing but a headline", () => {
  const bare = { ...REPORT, job: null, id: "", took: undefined, runUrl: "" };
  expect(renderReport({ ...bare, severity: "error" })).toBe(
    "### ❌ Docs agent: pull request opened",
  );
});

/** What a page shows outside of code. */
function outsideCode(markdown: string): string {
  return rendered(markdown).replaceAll(/<code[^>]*>[^<]*<\/code>/g, "CODE");
}

test("what the agent says and has to do is told", () => {
  const todos = [
    todo("Read the pages", "completed"),
    todo("Write", "in_progress"),
    todo("Check", "pending"),
    todo("Rest", "cancelled"),
  ];
  const report = reportOf({ message: "I wrote it.", todos });
  expect(report).toContain("The agent says:\n\n`I wrote it.`");
  expect(report).toContain(
    "- [x] `Read the pages`\n- [ ] `Write` ← now\n- [ ] `Check`\n- [ ] ~~`Rest`~~ cancelled",
  );
});

test("a to-do list without end is cut", () => {
  const todos = Array.from({ length: 60 }, (_, n) => todo(`step ${n}`, "pending"));
  const report = reportOf({ todos });
  expect(report.match(/^- \[ \]/gm)).toHaveLength(50);
  expect(report).toContain("and 10 more");
});

test("whatever the service says: it stands in code, and the rest of the report as it should", () => {
  const saying = (text: string, isQuote: boolean, id: string, status: string, content: string) => {
    const todos = ["completed", "cancelled", "in_progress"].map((it) => todo(content, it));
    const said = isQuote ? "" : text;
    return outsideCode(
      reportOf({ message: said, status, todos }, { quote: isQuote ? text : "", id }),
    );
  };
  // A text of several lines is a block.
  const plain = ["x", "x\nx"].flatMap((text) =>
    [true, false].map((isQuote) => saying(text, isQuote, "x", "x", "x")),
  );
  const text = hostileText({ maxLength: 10 });
  // What is empty, or nothing but invisible characters, is left out: that is another report.
  const shown = text.map((it) => `${it}x`);
  fc.assert(
    fc.property(shown, fc.boolean(), shown, shown, shown, (...texts) => {
      expect(plain).toContain(saying(...texts));
    }),
    { numRuns: runs(100) },
  );
});

const PHRASES = ["/docs", "@docs-bot", "`docs`", "<!-- x", "*docs*", "docs|x", "#1", "\u202E/docs"];

test.each(PHRASES)(
  "the usage and the invitation show the phrase %j as it is written, in code",
  (phrase) => {
    for (const text of [
      renderUsage(phrase),
      renderInvitation(phrase, 7),
      renderInvitation(phrase, null),
    ]) {
      expect(text).not.toContain("<!--");
      expect(rendered(text)).toContain("<code>");
      const shown = outsideCode(text);
      expect(shown).not.toContain(phrase);
      expect(shown).not.toMatch(/<(em|del|a|h1)/);
    }
  },
);

test("the usage says how to ask, how to go on and how to begin anew", () => {
  const usage = renderUsage("/docs");
  expect(usage).toContain("`/docs`");
  expect(usage).toContain("`/docs explain");
  expect(usage).toContain("`/docs --new`");
});

test("the invitation says where it was asked for, if that is known", () => {
  expect(renderInvitation("/docs", 7)).toContain("#7");
  expect(renderInvitation("/docs", null)).not.toContain("#7");
  expect(renderInvitation("/docs", 7)).toContain("`/docs`");
});

const AT_WORK = { severity: "working", headline: "at work", took: undefined, runUrl: "" } as const;
const STATUSES = ["completed", "in_progress", "pending", "cancelled", "unheard-of"];

test("no to-do or message whatever leaves its place", () => {
  const todos = fc.record({
    content: hostileText(),
    status: fc.constantFrom(...STATUSES),
    id: fc.constant(""),
    priority: hostileText({ maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(todos, { maxLength: 5 }), hostileText(), (todos, message) => {
      const shown = rendered(reportOf({ todos, message: `m${message}`, prLink: null }, AT_WORK));
      const own = shown.replaceAll(/<code( class="language-text")?>[^<]*<\/code>/g, "CODE");
      // A text of several lines is a block.
      const said = own.replace("<pre>CODE</pre>", "<p>CODE</p>");
      const item =
        /<li><input type="checkbox" disabled=""( checked="")? \/> (CODE|<del>CODE<\/del>)( ← now| cancelled)?<\/li>\n/g;
      expect(said.replaceAll(item, "").replace(/<ul( class="[^"]*")?>\n<\/ul>\n/, "")).toBe(
        "<h3>⏳ Docs agent: at work</h3>\n<p>The agent says:</p>\n<p>CODE</p>\n<p>Status CODE · Job CODE</p>",
      );
    }),
    { numRuns: runs(150) },
  );
});

test("an item in which there is nothing to see is not shown", () => {
  const empty = { id: "1", content: "\u200B", status: "cancelled", priority: "" };
  expect(reportOf({ todos: [empty] })).toBe(renderReport(REPORT));
});
