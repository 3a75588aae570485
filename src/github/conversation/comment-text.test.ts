import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered } from "../../../emulator/github/rendered-markdown.ts";
import { hostileText } from "../../../test/support/arbitrary.ts";
import { runs } from "../../../test/support/sample.ts";
import type { Job } from "../../service/agent.ts";
import { type Report, renderInvitation, renderReport, renderUsage } from "./comment-text.ts";

const JOB: Job = {
  id: "job_1",
  status: "completed",
  prLink: "https://github.com/octo/docs/pull/42",
  model: null,
  repository: null,
  ref: null,
  createdAt: null,
  archivedAt: null,
  message: null,
  todos: null,
  failure: null,
  record: {},
};
const REPORT: Report = {
  severity: "ok",
  headline: "pull request opened",
  detail: null,
  quote: null,
  request: null,
  advice: null,
  id: "job_1",
  job: JOB,
  notes: [],
  took: 192_000,
  runUrl: "https://github.com/octo/docs/actions/runs/1001/attempts/1",
};

const reportOf = (job: Partial<Job>, more: Partial<Report> = {}) =>
  renderReport({ ...REPORT, job: { ...JOB, ...job }, ...more });

test("a report says how it went, and links to the pull request and the run", () => {
  expect(renderReport({ ...REPORT, notes: ["A note."], advice: "Do this." })).toBe(
    [
      "### ✅ Docs agent: pull request opened",
      "**[Pull request #42](https://github.com/octo/docs/pull/42)**",
      "A note.",
      "Do this.",
      "<details><summary>Details</summary>",
      "Status `completed` · Job `job_1` · Took 3 min 12 s · [Workflow run](https://github.com/octo/docs/actions/runs/1001/attempts/1)",
      "</details>",
    ].join("\n\n"),
  );
});

test("a report folds the IDs and requests of the service, and shows the run if there are none", () => {
  const request = "POST /v2/agent/docs/job";
  const failed = { ...REPORT, job: null, id: null, quote: "The service returned 504.", request };
  const [shown = "", folded = ""] = renderReport(failed).split("<details>");
  expect(shown).toContain("`The service returned 504.`");
  expect(shown).not.toContain(request);
  expect(folded).toContain(`Request \`${request}\``);
  const [unfolded = "", ...more] = renderReport({ ...failed, request: null }).split("<details>");
  expect(unfolded).toContain("[Workflow run](");
  expect(more).toEqual([]);
});

test("a report with only a headline shows only the headline", () => {
  const bare = { ...REPORT, job: null, id: null, took: undefined, runUrl: null };
  expect(renderReport({ ...bare, severity: "error" })).toBe(
    "### ❌ Docs agent: pull request opened",
  );
});

/** What a page shows outside of code. */
function outsideCode(markdown: string): string {
  return rendered(markdown).replaceAll(/<code[^>]*>[^<]*<\/code>/g, "CODE");
}

test("what the agent says is in the report", () => {
  const report = reportOf({ message: "I wrote it." });
  expect(report).toContain("The agent says:\n\n`I wrote it.`");
});

test("anything the service says is shown as code, and the rest of the report stays as it should be", () => {
  const saying = (text: string, isQuote: boolean, id: string, status: string) => {
    const [quote, message] = isQuote ? [text, ""] : [null, text];
    return outsideCode(reportOf({ message, status }, { quote, id }));
  };
  // A text of several lines is a block.
  const plain = ["x", "x\nx"].flatMap((text) =>
    [true, false].map((isQuote) => saying(text, isQuote, "x", "x")),
  );
  const text = hostileText({ maxLength: 10 });
  // What is empty, or nothing but invisible characters, is left out: that is another report.
  const shown = text.map((line) => `${line}x`);
  fc.assert(
    fc.property(shown, fc.boolean(), shown, shown, (...texts) => {
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
      renderUsage("Docs agent", phrase),
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
  const usage = renderUsage("Docs agent", "/docs");
  expect(usage).toContain("`/docs`");
  expect(usage).toContain("`/docs explain");
  expect(usage).toContain("`/docs --new`");
});

test("the invitation says where it was asked for, if that is known", () => {
  expect(renderInvitation("/docs", 7)).toContain("#7");
  expect(renderInvitation("/docs", null)).not.toContain("#7");
  expect(renderInvitation("/docs", 7)).toContain("`/docs`");
});

const AT_WORK = {
  severity: "working",
  headline: "at work",
  took: undefined,
  runUrl: null,
} as const;

test("no message of the agent gets out of its code", () => {
  fc.assert(
    fc.property(hostileText(), (message) => {
      const shown = rendered(reportOf({ message: `m${message}`, prLink: null }, AT_WORK));
      const own = shown.replaceAll(/<code( class="language-text")?>[^<]*<\/code>/g, "CODE");
      // A text of several lines is a block.
      expect(own.replace("<pre>CODE</pre>", "<p>CODE</p>")).toBe(
        "<h3>⏳ Docs agent: at work</h3>\n<p>The agent says:</p>\n<p>CODE</p>\n<details><summary>Details</summary>\n<p>Status CODE · Job CODE</p>\n</details>",
      );
    }),
    { numRuns: runs(150) },
  );
});
