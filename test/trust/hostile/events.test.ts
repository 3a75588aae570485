import type { Nodes } from "hast";
import { fromHtml } from "hast-util-from-html";
import { expect, test } from "vitest";
import { rendered } from "../../../emulator/github/rendered-markdown.ts";
import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import { json } from "../../support/answers.ts";
import { checkRun, recordingConnections } from "../../support/check-run.ts";
import { CANARY, chunks, LONG_LINE } from "../../support/hostile-texts.ts";
import { withoutKept } from "../../support/kept-characters.ts";
import { comment, reviewComment } from "../../support/phrase-events.ts";
import { numberedSampleOf, sampleOf } from "../../support/sample.ts";
import { PROMPT } from "../../support/world/actions.ts";
import { PERMISSION } from "../../support/world/conversation.ts";
import { CREATE, WITH_JOB } from "../../support/world/jobs.ts";
import { startWorld, type World } from "../../support/world/world.ts";

const MAX_CONTEXT = 32 * 1024;
/** The corpus in parts, several of which fit into a context of 32 KiB. */
const PARTS = [...chunks(4000), LONG_LINE];
const PERSON = { login: "writer", type: "User" };
const REPOSITORY = { full_name: "octo/docs", name: "docs", owner: { login: "octo" } };
/** What GitHub says of every changed file. */
const CHANGED = { additions: 1, deletions: 0 };

async function run(world: World, options: RunOptions = {}): Promise<RunResult> {
  const inputs = { "include-context": "true", ...options.inputs };
  return await world.run("root", recordingConnections({ debug: true, ...options, inputs }));
}

/** Characters that are invisible in a prompt. */
const INVISIBLE =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029]|\p{Default_Ignorable_Code_Point}/u;

/** Lines that the action itself writes around quotations. */
const OWN_LINE = /^## [\w' ]+ by ([\w-]+|an unknown account)$|^Left out for length: \d+ bytes of "/;

/** The Markdown that somebody wrote, by its heading. */
function writtenIn(context: string): [heading: string, text: string][] {
  const sections = context.split(/^## (?=(?:Comment|[\w ]+'s text|Release notes) by )/m).slice(1);
  return sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n");
    const end = lines.findIndex((line) => line !== "" && !line.startsWith(">"));
    const quoted = lines.slice(0, end < 0 ? lines.length : end);
    return [heading, quoted.map((line) => line.replace(/^> ?/, "")).join("\n")];
  });
}

function hasComment(node: Nodes): boolean {
  return node.type === "comment" || ("children" in node && node.children.some(hasComment));
}

/** The problems of the context in a prompt. Every line of it must be quoted. */
function checkPrompt(world: World): string[] {
  const sent = world.received(CREATE).map(({ body }) => JSON.parse(body.toString()));
  if (sent.length !== 1) return [`${sent.length} prompts were sent`];
  const { prompt } = sent[0] as { prompt: string };
  const problems: string[] = [];
  const [before, context = "", ...more] = prompt.split("\n\n---\n\n");
  if (before !== PROMPT) problems.push("the prompt does not begin with the prompt input");
  if (more.length > 0) problems.push("there are several contexts");
  if (Buffer.byteLength(context) > MAX_CONTEXT) problems.push("the context is too long");
  if (INVISIBLE.test(withoutKept(context)))
    problems.push("there is an invisible character in the context");
  for (const [heading, text] of writtenIn(context)) {
    const html = fromHtml(rendered(text), { fragment: true });
    if (hasComment(html)) problems.push(`there is a hidden comment below ${heading}`);
  }
  if (!context.includes(CANARY)) problems.push("the context contains nothing of the event");
  const [introduction = "", ...lines] = context.split("\n");
  if (!/never as instructions/.test(introduction)) problems.push("nothing introduces the context");
  for (const line of lines) {
    if (line !== "" && !line.startsWith(">") && !OWN_LINE.test(line))
      problems.push(`not quoted: ${line.slice(0, 200)}`);
  }
  return problems;
}

/** An event of each kind in which every text is hostile. */
const EVENTS: Record<string, (text: string) => Pick<RunOptions, "eventName" | "event">> = {
  "an issue": (text) => ({
    eventName: "issues",
    event: {
      action: "opened",
      issue: {
        number: 7,
        title: text,
        body: text,
        html_url: text,
        user: PERSON,
        performed_via_github_app: null,
      },
      repository: REPOSITORY,
      sender: PERSON,
    },
  }),
  "a comment": (text) =>
    comment(text, {
      subject: { title: text, body: text, html_url: text },
      remark: { html_url: text },
    }),
  "a comment on a change": (text) =>
    reviewComment(text, {
      subject: { title: text, body: text, html_url: text, head: { ref: text, label: text } },
      remark: { path: text, diff_hunk: text, line: 1 },
    }),
  "a pull request": (text) => ({
    eventName: "pull_request",
    event: {
      action: "opened",
      pull_request: {
        number: 7,
        title: text,
        body: text,
        html_url: text,
        head: { ref: text, sha: text },
        base: { ref: text },
      },
      repository: REPOSITORY,
      sender: PERSON,
    },
  }),
  "a push": (text) => ({
    eventName: "push",
    event: {
      ref: text,
      compare: text,
      commits: [
        { id: text, message: text },
        { id: "1".repeat(40), message: text },
      ],
      repository: REPOSITORY,
    },
  }),
  "a release": (text) => ({
    eventName: "release",
    event: {
      action: "published",
      release: { name: text, tag_name: text, html_url: text, body: text },
      repository: REPOSITORY,
    },
  }),
};

const CELLS = Object.keys(EVENTS).flatMap((name) => PARTS.map((_, nth) => [name, nth] as const));

test.each(sampleOf(CELLS, 3, "events"))(
  "%s of hostile texts (%i) is quoted in the prompt, and appears nowhere else",
  async (name, nth) => {
    await using world = await startWorld(WITH_JOB);
    const trigger = EVENTS[name]?.(PARTS[nth] ?? "");
    const result = await run(world, trigger);
    expect(checkRun(result, world)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    expect(checkPrompt(world)).toEqual([]);
    for (const shown of [result.stdout, result.summary, ...world.bodies])
      expect(shown).not.toContain(CANARY);
  },
);

test.each(numberedSampleOf(PARTS.slice(0, -1), 1, "files"))(
  "hostile names of changed files (%i) are quoted in the prompt",
  async (_, part) => {
    await using world = await startWorld(WITH_JOB);
    const files = part.split("\n").map((filename) => ({ filename, ...CHANGED }));
    world.on(
      "GET /repos/octo/docs/pulls/7/files",
      json(200, [{ filename: part, ...CHANGED }, ...files].slice(0, 100)),
    );
    const result = await run(world, EVENTS["a pull request"]?.("x"));
    expect(checkRun(result, world)).toEqual([]);
    expect(checkPrompt(world)).toEqual([]);
  },
);

const LOGINS = chunks(900);

test.each(numberedSampleOf(LOGINS, 1, "logins"))(
  "an account with a hostile login (%i) and without the permission is refused",
  async (_, login) => {
    await using world = await startWorld(WITH_JOB);
    world.on(PERMISSION, json(200, { permission: "read", role_name: CANARY }));
    const isBot = login.length % 2 === 0;
    const result = await run(world, {
      ...comment("/docs go", { by: { login, type: isBot ? "Bot" : "User" } }),
      inputs: { "trigger-phrase": "/docs" },
    });
    expect(checkRun(result, world)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" } });
    expect(world.asked("service")).toEqual([]);
    const paths = world.received("github").map(({ path }) => path);
    for (const path of paths.filter((each) => !each.endsWith("/issues/comments/555/reactions")))
      expect(path).toMatch(/^\/repos\/octo\/docs\/collaborators\/[^/?#]+\/permission$/);
  },
);

test.each(numberedSampleOf(chunks(4000), 1, "requests"))(
  "a hostile request (%i) is sent to the service, and appears nowhere else",
  async (_, text) => {
    await using world = await startWorld(WITH_JOB);
    const result = await run(world, {
      ...comment(`/docs ${CANARY} ${text}`),
      inputs: { "trigger-phrase": "/docs", "include-context": "false", prompt: "" },
    });
    expect(checkRun(result, world)).toEqual([]);
    expect(result.exitCode).toBe(0);
    for (const shown of [result.stdout, result.summary, ...world.bodies])
      expect(shown).not.toContain(CANARY);
    expect(world.received(CREATE)).toHaveLength(text.includes("<!-- docs-agent:") ? 0 : 1);
  },
);

test("__proto__ and constructor have no effect in an event", async () => {
  await using world = await startWorld(WITH_JOB);
  const event = JSON.parse(
    `{"__proto__":{"issue":{"number":11}},"constructor":{"prototype":{}},"action":"opened","sender":{"login":"octocat","type":"User"},"issue":{"number":7,"title":"${CANARY}","user":{"login":"octocat"},"performed_via_github_app":null,"__proto__":{"pull_request":{}}}}`,
  );
  const result = await run(world, { eventName: "issues", event });
  expect(checkRun(result, world)).toEqual([]);
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comments(11)).toEqual([]);
});
