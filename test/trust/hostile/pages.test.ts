import { describe, expect, test } from "vitest";
import { renderAnswer } from "../../../src/assistant/answer-text.ts";
import {
  type Report,
  renderInvitation,
  renderReport,
  renderUsage,
} from "../../../src/github/conversation/comment-text.ts";
import { renderJobs, rowOf } from "../../../src/jobs/jobs.ts";
import { ActionError } from "../../../src/runtime/errors.ts";
import type { Job } from "../../../src/service/agent.ts";
import { readSession } from "../../../src/service/agent-v1.ts";
import { safeLink } from "../../../src/text/link.ts";
import { checkAddress, checkPage } from "../../support/check-page.ts";
import { ALL_HOSTILE, CANARY, HOSTILE, hostile, LONG_LINE } from "../../support/hostile-texts.ts";
import { numberedSampleOf, sampleOf } from "../../support/sample.ts";
import { session } from "../../support/world/sessions.ts";

/** Maximum length of a comment on GitHub, in characters. */
const MAX_COMMENT = 65_536;

const REPORT = { outside: "code", markers: 0 } as const;
const ANSWER = { outside: "inert", markers: 0 } as const;
const TEXTS = [
  ...sampleOf(ALL_HOSTILE, 30, "texts"),
  LONG_LINE,
  ALL_HOSTILE.join("\n"),
  ALL_HOSTILE.join(" "),
];

const JOB: Job = {
  id: "job_1",
  status: "active",
  prLink: null,
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
const PLAIN: Report = {
  severity: "error",
  headline: "the job failed",
  detail: null,
  quote: null,
  request: null,
  notes: [],
  advice: null,
  id: "job_1",
  job: JOB,
  took: 1000,
  runUrl: "https://github.com/octo/docs/actions/runs/1001/attempts/1",
};

function report(job: Partial<Job>, more: Partial<Report> = {}): string {
  return renderReport({ ...PLAIN, job: { ...JOB, ...job }, ...more });
}

/** Every part of a report that can contain text from outside. */
const PLACES: Record<string, (text: string) => string> = {
  "what happened": (text) => report({}, { quote: text }),
  "the agent's message": (text) => report({ message: text }),
  "the job's id": (text) => report({}, { id: text }),
  "the status": (text) => report({ status: text }),
  "all at once": (text) => report({ message: text, status: text }, { quote: text, id: text }),
  "the phrase": (text) => `${renderUsage("Docs agent", text)}\n\n${renderInvitation(text, null)}`,
};

describe.each(Object.entries(PLACES))("%s", (_, render) => {
  test("shows each hostile text as code", () => {
    for (const text of TEXTS)
      expect(checkPage(render(text), REPORT), text.slice(0, 200)).toEqual([]);
  });

  test("is at most half as long as a comment may be", () => {
    for (const text of TEXTS) expect(render(text).length).toBeLessThan(MAX_COMMENT / 2);
  });
});

test("a link that is shown has a safe address, and unsafe addresses are not shown", () => {
  let shown = 0;
  for (const text of ALL_HOSTILE) {
    const link = safeLink(text);
    if (link === null) continue;
    shown += 1;
    expect(checkAddress(link), text).toEqual([]);
    const page = report({ prLink: link });
    expect(checkPage(page, REPORT), text).toEqual([]);
  }
  expect(shown).toBeGreaterThan(5);
  expect(shown).toBeLessThan(HOSTILE["an address"].length);
});

test("a list of jobs shows each hostile text as code, in its own cell", () => {
  const names = ["sessionId", "title", "branch", "createdAt", "haultReason", "pullRequestLink"];
  const rows = TEXTS.flatMap((_, index) => {
    const fields = names.map((name, field) => [name, hostile(index + field)]);
    const job = readSession(session(Object.fromEntries(fields)));
    return job === null ? [] : [rowOf(job)];
  });
  expect(rows.length).toBeGreaterThan(TEXTS.length - 5);
  for (let first = 0; first < rows.length; first += 50) {
    const page = renderJobs(rows.slice(first, first + 50), 1);
    expect(checkPage(page, REPORT)).toEqual([]);
    for (const line of page.split("\n").filter((text) => text.startsWith("|")))
      expect(line.match(/\|/g)).toHaveLength(7);
  }
});

function answer(text: string, more: Partial<Parameters<typeof renderAnswer>[0]> = {}): string {
  return renderAnswer({ text, sources: [], error: null, note: null, ...more }, PLAIN.runUrl, 0);
}

test("hostile Markdown in an answer has no effect", () => {
  for (const text of TEXTS) {
    for (const around of [text, `${CANARY} ${text} ${CANARY}`, `- ${text}\n  ${text}`, `> ${text}`])
      expect(checkPage(answer(around), ANSWER), around.slice(0, 300)).toEqual([]);
  }
});

test("pairs of hostile texts in an answer have no effect", () => {
  for (const [index, text] of numberedSampleOf(ALL_HOSTILE, 30, "pairs")) {
    for (const offset of [1, 59]) {
      const pair = text + hostile(index + offset);
      expect(checkPage(answer(pair), ANSWER), JSON.stringify(pair)).toEqual([]);
    }
  }
});

test("sources of an answer are safe links, and their titles have no effect", () => {
  for (const [index, title] of TEXTS.entries()) {
    for (const url of [hostile(index), "https://docs.example/page"]) {
      const page = answer("Yes.", { sources: [{ title, url }] });
      expect(checkPage(page, ANSWER), title.slice(0, 200)).toEqual([]);
    }
  }
});

test("the error of an answer is shown as code", () => {
  for (const text of TEXTS) {
    const error = new ActionError("bad-request", text, "Ask again.");
    expect(checkPage(answer("", { error }), ANSWER), text.slice(0, 200)).toEqual([]);
  }
});

test("an answer is at most as long as a comment may be", () => {
  const sources = TEXTS.map((title, index) => ({ title, url: `https://${index}.example/` }));
  for (const text of TEXTS.filter((_, index) => index % 8 === 0)) {
    const page = answer(`${text}\n\n${ALL_HOSTILE.join("\n\n").repeat(20)}`, { sources });
    expect(page.length).toBeLessThanOrEqual(MAX_COMMENT);
  }
});
