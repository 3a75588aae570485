/** The playground's forms and pages, without a browser. */

import { readFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { PLAYGROUND_WORLD, type Playground, startPlayground } from "../../playground/index.ts";
import { MISTAKES } from "../../playground/site/mistakes.ts";
import { bodyHash, TASKS, TASKS_FILE } from "../../playground/site/tasks.ts";
import { html } from "../../playground/views/html.ts";
import { ACTIONS } from "../../scripts/actions.ts";
import { startStep } from "../support/run-action.ts";
import { byName, someOf } from "../support/sample.ts";

let world: LocalWorld;
let playground: Playground;

beforeAll(async () => {
  world = await startLocalWorld({
    ...PLAYGROUND_WORLD,
    steering: { ...PLAYGROUND_WORLD.steering, durationMs: 200 },
  });
  playground = await startPlayground(world, startStep);
});
afterAll(async () => {
  await playground?.close();
  await world?.close();
});

const ISSUE = "/acme/docs/issues/1";

interface Sent {
  status: number;
  answer: { message?: string; error?: string; location?: string };
}

async function send(
  address: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Sent> {
  const response = await fetch(`${playground.url}${address}`, {
    method: "POST",
    headers: { accept: "application/json", ...headers },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, answer: (await response.json()) as Sent["answer"] };
}

async function page(address: string): Promise<string> {
  return (await fetch(`${playground.url}${address}`)).text();
}

/** Posts a comment on the issue. The workflow that waits for the job answers it. */
function postComment(login: string, body: string): Promise<Sent> {
  return send(`${ISSUE}/comments`, { login, body, workflow: "ask-by-comment.yml" });
}

type Texts = (string | RegExp)[];

/** Follows a page's updates until its main part and its margin contain these texts. Returns the main part. */
async function waitForTexts(address: string, texts: Texts, margin: Texts = []): Promise<string> {
  const stop = new AbortController();
  const url = `${playground.url}/events?page=${encodeURIComponent(address)}`;
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(60_000)]);
  const response = await fetch(url, { signal });
  let received = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += chunk;
    const messages = received.split("\n\n");
    received = messages.pop() ?? "";
    const latest = messages.at(-1)?.slice("data: ".length);
    if (latest === undefined) continue;
    const { main = "", aside = "" } = regionsOf(latest);
    if (contains(main, texts) && contains(aside, margin)) {
      stop.abort();
      return main;
    }
  }
  throw new Error(`${address} never showed ${[...texts, ...margin].join(", ")}`);
}

function regionsOf(message: string): Record<string, string> {
  const regions = Object.entries(JSON.parse(message) as Record<string, { html: string }[]>);
  return Object.fromEntries(
    regions.map(([name, parts]) => [name, parts.map(({ html }) => html).join("\n")]),
  );
}

function contains(text: string, wanted: Texts): boolean {
  return wanted.every((each) => (typeof each === "string" ? text.includes(each) : each.test(text)));
}

const SUCCEEDED = /pill good">success/;
const FAILED = /pill bad">failure/;
const SKIPPED = /pill idle">skipped/;

/** The paths of a workflow's runs that a page links to, newest first. */
function runsOf(text: string, workflow: string): string[] {
  const links = text.matchAll(/href="([^"]*\/actions\/runs\/\d+)">([^<]+)</g);
  return [...links].flatMap(([, path = "", name]) => (name === workflow ? [path] : []));
}

function runOf(text: string, workflow: string): string {
  return runsOf(text, workflow)[0] ?? "";
}

test("a page that is open shows what is written on GitHub without HTTP", async () => {
  const url = `${playground.url}/events?page=${encodeURIComponent(ISSUE)}`;
  const { body } = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  let [text, isWritten] = ["", false];
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes("Written directly")) break;
    if (isWritten) continue;
    isWritten = true;
    const comment = { body: "Written directly" };
    await world.github.api("/issues/1/comments", { method: "POST", body: comment });
  }
  expect(text).toContain("Written directly");
});

describe("a request on the issue", () => {
  test("is answered by the committed bundle, and the page shows the answer without reloading", async () => {
    const { status, answer } = await send(`${ISSUE}/comments`, {
      login: "writer",
      body: "/docs explain keys",
      workflow: "team.yml",
    });
    expect([status, answer.message]).toEqual([200, "Your comment is on the issue."]);
    const texts = ["1 eyes", "1 rocket", "completed with a pull request"];
    const text = await waitForTexts(ISSUE, texts, [
      SUCCEEDED,
      /Explain keys<\/a> <span class="number">· #\d/,
    ]);
    // Links to the emulated GitHub become links to the playground.
    expect(text).toMatch(/<a href="\/acme\/docs\/pull\/\d+">Pull request/);
    expect(await page("/jobs")).toContain("explain keys");
    expect(await page("/acme/docs/actions/runs/1001/attempts/1")).toContain("Started job");
  });

  test("whose job fails is reported on the thread, and its run fails", async () => {
    await postComment("writer", "/docs x\nemulate: outcome=failed");
    await waitForTexts(
      ISSUE,
      ["1 confused", "Docs agent: the job failed"],
      [FAILED, /pill bad">failed/],
    );
  });

  test("by an account without permission starts no job", async () => {
    const jobs = await world.service.jobs();
    await postComment("reader", "/docs let me");
    const reason = /Docs agent: not allowed/;
    const run = await waitForTexts(runOf(await page(ISSUE), "Docs by comment"), [
      SKIPPED,
      "1 -1",
      reason,
    ]);
    expect(run).toMatch(/reader commented on <a href="[^"]*#issuecomment-\d+">Explain how to/);
    expect(await world.service.jobs()).toHaveLength(jobs.length);
  });
});

describe("every action", () => {
  const run = (action: string, minutes = "1") => send(`/acme/docs/${action}`, { minutes });
  interface Start {
    /** Starts the action, with a form. */
    start(): Promise<unknown>;
    workflow: string;
    /** Texts on the page of the run. */
    texts: Texts;
  }

  const STARTS: Record<string, Start> = {
    root: {
      start: () => postComment("writer", "/docs --new name keys"),
      workflow: "Docs by comment",
      texts: ["prLink"],
    },
    upkeep: {
      start: async () => {
        await send("/acme/docs/changes", { title: "Name keys", how: "merge" });
        await run("upkeep");
      },
      workflow: "Docs upkeep",
      texts: ["dashboardUrl", "changeCount"],
    },
    gate: {
      start: () => send("/acme/docs/changes", { title: "Name scopes", docs: "on", how: "open" }),
      workflow: "Docs gate",
      texts: ["<code>included</code>"],
    },
    deploy: {
      start: () => send("/acme/docs/changes", { title: "Name roles", docs: "on", how: "open" }),
      workflow: "Preview the docs",
      texts: ["<code>success</code>", "deploymentId"],
    },
    doctor: {
      start: () => run("doctor"),
      workflow: "Docs doctor",
      texts: ["<code>healthy</code>", "nothing is wrong"],
    },
    land: { start: () => run("land", "60"), workflow: "Docs land", texts: ["openCount"] },
    collect: {
      start: async () => {
        const workflow = "ask-by-comment-without-waiting.yml";
        await send(`${ISSUE}/comments`, { body: "/docs --new later", workflow });
        await waitForTexts(ISSUE, ["the agent is working"], [SUCCEEDED]);
        await world.service.untilJobsEnd();
        await run("collect");
      },
      workflow: "Docs collect",
      texts: ["<code>finishedCount</code></th><td><code>1</code>", "Started by"],
    },
    queue: {
      start: () => run("queue"),
      workflow: "Docs queue",
      texts: ["startedCount", "Docs queue"],
    },
    assistant: {
      start: () => send("/acme/docs/issues", { title: "How do I rotate a key?", question: "on" }),
      workflow: "Answer questions",
      texts: ["<code>answer</code>", "maintainer labeled"],
    },
    jobs: {
      start: () => run("jobs"),
      workflow: "Docs jobs",
      texts: ["runningCount", "<table>"],
    },
  };

  test.each(ACTIONS.map(({ name }) => name))(
    "%s is started by its form, and the page of its run shows the result",
    async (name) => {
      const action = STARTS[name];
      if (action === undefined) throw new Error(`${name} is never started`);
      const { start, workflow, texts } = action;
      const before = runOf(await page("/acme/docs/actions"), workflow);
      await start();
      await expect
        .poll(async () => runOf(await page("/acme/docs/actions"), workflow), { timeout: 60_000 })
        .not.toBe(before);
      const path = runOf(await page("/acme/docs"), workflow);
      const text = await waitForTexts(path, [SUCCEEDED, ...texts]);
      expect(text).toContain("Outputs of the step");
      // The first page links to the run.
      expect(await page("/acme/docs")).toContain(`href="${path}" aria-label="Last run: success"`);
    },
  );

  test("doctor: finds the mistakes that are chosen, and they are corrected after the run", async () => {
    const findings = {
      key: "api-key",
      permission: "permissions-upkeep",
      rule: "ledger-ref",
      issues: "issues",
      schedule: "schedule",
      queue: "merge-queue",
    };
    expect(Object.keys(MISTAKES)).toEqual(Object.keys(findings));
    for (const { label } of Object.values(MISTAKES)) {
      expect(await page("/acme/docs")).toContain(html`${label}</label>`.markup);
    }
    const runWith = async (mistakes: string[], texts: Texts) => {
      const before = runOf(await page("/acme/docs/actions"), "Docs doctor");
      const body = new URLSearchParams({ minutes: "1" });
      for (const name of mistakes) body.append("mistake", name);
      const url = `${playground.url}/acme/docs/doctor`;
      const accept = { accept: "application/json" };
      const answer = await fetch(url, { method: "POST", headers: accept, body });
      if (answer.status !== 200) return answer.status;
      const path = runOf(await page("/acme/docs/actions"), "Docs doctor");
      expect(path).not.toBe(before);
      await waitForTexts(path, texts);
      return answer.status;
    };
    for (const [mistake, check] of Object.entries(findings)) {
      await runWith([mistake], [FAILED, `❌ <strong>${check}</strong>`, "<code>unwell</code>"]);
    }
    const all = Object.values(findings).map((check) => `❌ <strong>${check}</strong>`);
    const closed = '<details id="output-doctor-findings"><summary>';
    await runWith(Object.keys(findings), [FAILED, ...all, closed]);
    await runWith([], [SUCCEEDED, "<code>healthy</code>"]);
    expect(await runWith(["toString"], [])).toBe(422);
  });

  test("queue: saving the tasks starts a run, and a second save of the same version is refused", async () => {
    const text = `${TASKS}- Document webhooks.\n`;
    const before = runOf(await page("/acme/docs"), "Docs queue");
    const fields = { text, seen: bodyHash(TASKS) };
    expect((await send("/acme/docs/tasks", fields)).answer.location).toBe("/acme/docs");
    expect((await send("/acme/docs/tasks", fields)).status).toBe(409);
    expect(await page(`/acme/docs/blob/main/${TASKS_FILE}`)).toContain("- Document webhooks.\n");
    const path = runOf(await page("/acme/docs"), "Docs queue");
    expect(path).not.toBe(before);
    await waitForTexts(path, [SUCCEEDED, "maintainer pushed to main"]);
  });
});

test("a new issue with a request is answered", async () => {
  const fields = { login: "maintainer", title: "Explain `limits`", body: "/docs explain limits" };
  const { answer } = await send("/acme/docs/issues", fields);
  const path = answer.location ?? "";
  await waitForTexts(
    path,
    ["<h1>Explain <code>limits</code>", "completed with a pull request"],
    [SUCCEEDED],
  );
  expect(await page("/acme/docs/issues")).toContain(
    `href="${path}">Explain <code>limits</code></a>`,
  );
  // The action's own edits of its comment are not shown.
  expect(await page(path)).not.toContain("edited");
});

test("each page shows the workflows that it runs, and each action has a form or a link that starts it", async () => {
  const shown = async (address: string) =>
    [...(await page(address)).matchAll(/<summary><code>examples\/([\w-]+)\.yml</g)].map(
      ([, file]) => file,
    );
  const [first, ...others] = await shown("/acme/docs");
  expect(first).toBe("team");
  expect(others).toHaveLength(ACTIONS.length);
  expect(await shown("/acme/docs/pulls")).toEqual(["upkeep", "gate", "deploy-preview"]);
  expect(await shown(`/acme/docs/blob/main/${TASKS_FILE}`)).toEqual(["queue"]);
  expect(await shown(ISSUE)).toEqual([
    "team",
    "ask-by-comment",
    "ask-by-comment-without-waiting",
    "collect",
    "answer-questions",
  ]);
  const pulls = await page("/acme/docs/pulls");
  const source = readFileSync(path.join(REPOSITORY_ROOT, "examples/upkeep.yml"), "utf8");
  expect(pulls).toContain(html`${source}</pre>`.markup);
  expect(pulls).toContain("Run upkeep");
});

test("a commit that a dashboard links to has a page, and an unknown one does not", async () => {
  const { home } = world.github;
  const text = await page(`/acme/docs/commit/${home.tip()}`);
  expect(text).toContain(`<span class="number">${home.tip().slice(0, 7)}</span>`);
  expect(text).toContain('class="diff"');
  expect((await fetch(`${playground.url}/acme/docs/commit/${"a".repeat(40)}`)).status).toBe(404);
});

test("the link to collect begins a comment that the workflow which does not wait answers", async () => {
  const home = await page("/acme/docs");
  const [, link = ""] = /href="([^"]*without-waiting[^"]*)#comment">Write \/docs</.exec(home) ?? [];
  const issue = await page(link.replaceAll("&#38;", "&"));
  expect(issue).toMatch(/>\n\/docs explain [^<]*<\/textarea>/);
  expect(issue).toContain("selected>ask-by-comment-without-waiting.yml<");
});

describe("bad input", () => {
  test.each(
    someOf<[string, string, Record<string, string>, number, RegExp]>([
      [
        "an empty comment",
        `${ISSUE}/comments`,
        { login: "writer", body: " \n" },
        422,
        /Write something/,
      ],
      [
        "a comment that is too long",
        `${ISSUE}/comments`,
        { body: "x".repeat(65_537) },
        422,
        /65536/,
      ],
      [
        "an unknown account",
        `${ISSUE}/comments`,
        { login: "toString", body: "x" },
        422,
        /no account/,
      ],
      ["a box in an outdated text", `${ISSUE}/tick`, { task: "0", seen: "0" }, 409, /changed/],
      ["an unknown form", "/acme/docs/other", {}, 404, /no such form/],
    ]),
  )("%s is refused with a message", async (_, address, fields, status, words) => {
    const sent = await send(address, fields);
    expect(sent.status).toBe(status);
    expect(sent.answer.error).toMatch(words);
  });

  test("a missing page is a 404 that does not repeat its address", async () => {
    const response = await fetch(`${playground.url}/<script>`);
    expect(response.status).toBe(404);
    const text = await response.text();
    expect(text).toContain("<h1>Page not found</h1>");
    expect(text).toContain("There is no such page.");
    expect(text).toContain('<a href="/">To the overview</a>');
    expect(text).not.toContain("<script>");
  });

  test("of a form without JavaScript is shown on a page that leads back", async () => {
    const headers = { referer: `${playground.url}${ISSUE}` };
    const response = await fetch(`${playground.url}${ISSUE}/comments`, { method: "POST", headers });
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).toContain("<h1>That did not work</h1>");
    expect(text).toContain(`<a href="${ISSUE}">Back</a>`);
  });
});

describe("a docs pull request", () => {
  let address: string;
  beforeAll(() => {
    const files = { "docs/keys.md": "# Keys\n\nRotate them.\n" };
    const author = "docs-agent[bot]";
    const title = "Explain keys";
    address = `/acme/docs/pull/${world.github.home.openPull({ title, author, commits: [{ files }] }).number}`;
  });

  interface Shown {
    name: string;
    form: string;
    fields: Record<string, string>;
    onPage: Texts;
    inList: Texts;
  }

  const SHOWN: Shown[] = [
    {
      name: "a check that fails, with its annotation,",
      form: "checks",
      fields: {
        name: "Links",
        conclusion: "failure",
        body: "No such <page>",
        path: "docs/keys.md",
        line: "3",
      },
      onPage: [
        /bad">failure.*Links/,
        "<code>docs/keys.md:3</code> No such &#60;page&#62;",
        "It can be merged, although not every check is green.",
      ],
      inList: ["1 of 1 check failed"],
    },
    {
      name: "a review that asks for changes on a line",
      form: "reviews",
      fields: {
        login: "maintainer",
        event: "REQUEST_CHANGES",
        body: "**Which** keys?",
        path: "docs/keys.md",
        line: "3",
      },
      onPage: [
        "requested changes",
        "commented on line 3 of docs/keys.md",
        "+Rotate them.",
        "<strong>Which</strong> keys?",
      ],
      inList: ['bad">maintainer: changes requested'],
    },
    {
      name: "a commit by a person, which has no checks,",
      form: "commits",
      fields: { login: "writer", path: "docs/keys.md", to: "branch" },
      onPage: ["+Edited by writer", "No check has reported yet."],
      inList: [],
    },
    {
      name: "a conflict with its base",
      form: "commits",
      fields: { login: "writer", path: "docs/keys.md", to: "base" },
      onPage: ['bad">Conflict', "It cannot be merged: it is in conflict with its base."],
      inList: ['bad">Conflict'],
    },
  ];

  test.each(byName(SHOWN))("shows %s on its page and in the list", async (_, shown) => {
    const { form, fields, onPage, inList } = shown;
    expect(await send(`${address}/${form}`, fields)).toMatchObject({ status: 200 });
    const [text, list] = [await page(address), await page("/acme/docs/pulls")];
    for (const wanted of onPage) expect(text).toMatch(wanted);
    const row = list.split("<li>").find((item) => item.includes(`"${address}"`));
    for (const wanted of inList) expect(row).toMatch(wanted);
  });

  test("with a conflict is not merged, with a message, and a closed one has no forms", async () => {
    const refused = await send(`${address}/end`, { how: "merge" });
    expect(refused).toMatchObject({
      status: 405,
      answer: { error: expect.stringContaining("not mergeable") },
    });
    expect(await page(address)).toContain("Report a check");
    expect((await send(`${address}/end`, { how: "close" })).status).toBe(200);
    const text = await page(address);
    expect(text).toContain('idle">Closed');
    expect(text).not.toMatch(/Report a check|Merge pull request|Run land/);
    expect(text).toContain("It is no longer open, so <code>/docs</code> begins a new job.");
  });
});

describe("a code pull request", () => {
  const open = async (fields: Record<string, string>) => {
    const sent = await send("/acme/docs/changes", { how: "open", ...fields });
    const [, number = ""] = /#(\d+) is open/.exec(sent.answer.message ?? "") ?? [];
    return `/acme/docs/pull/${number}`;
  };
  const GATE = '<b>docs gate</b> <span class="hint">';
  const passed = (words: string) => `success</span> ${GATE}${words}`;
  const NEEDED = `failure</span> ${GATE}needed`;

  test("shows the gate's verdict and comment, and labels and commits change them", async () => {
    const address = await open({ title: "Pause webhooks" });
    const red = await waitForTexts(address, [NEEDED, "Do one of these:"]);
    const [, create = ""] = /<a [^>]*href="([^"]+)"[^>]*>create a page/.exec(red) ?? [];
    expect(create).toContain("/new/change/pause-webhooks?filename=docs/new-page.md");
    const form = await fetch(new URL(create, playground.url), { redirect: "manual" });
    expect(form.headers.get("location")).toBe(address);
    await send(`${address}/gate`, { how: "set", label: "skip-docs" });
    await waitForTexts(address, [passed("not-needed")]);
    await send(`${address}/gate`, { how: "remove", label: "skip-docs" });
    await waitForTexts(address, [NEEDED, "Do one of these:"]);
    await send(`${address}/commits`, { path: "docs/webhooks.md" });
    await waitForTexts(address, [passed("included")]);
    const text = await page(address);
    // Names have a number only if they are taken, and a number that is typed replaces the suggested one.
    expect(text).toContain("<code>change/pause-webhooks</code>");
    expect(text).toContain('<input name="line" type="number" min="1" placeholder="1">');
    expect(text).toContain("outsider (may read, like everyone)");
    expect(await page(await open({ title: "Pause webhooks" }))).toMatch(
      /<code>change\/pause-webhooks-\d+<\/code>/,
    );
    const documented = await open({ title: "Name webhooks", docs: "on" });
    const texts = [
      passed("included"),
      // Its page has a preview, which GitHub shows as a deployment.
      /success<\/span> <b>docs-preview/,
      "View deployment",
    ];
    const shown = await waitForTexts(documented, texts);
    expect(shown).not.toContain("Docs gate: ");
    const [, link = ""] = /<a [^>]*href="([^"]+)">View deployment/.exec(shown) ?? [];
    expect(await (await fetch(link)).text()).toContain("# Name webhooks");
  });
});

describe("other pages in the browser", () => {
  test("cannot send the playground's forms", async () => {
    const sent = await send("/acme/docs/upkeep", {}, { origin: "http://evil.example" });
    expect(sent.status).toBe(403);
  });

  test("cannot read the playground with a host name of their own", async () => {
    const { port } = new URL(playground.url);
    const status = await new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, headers: { host: `evil.example:${port}` } };
      request(options, ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(421);
  });

  test("cannot show the playground in a frame, and it loads nothing from other origins", async () => {
    const { headers } = await fetch(`${playground.url}${ISSUE}`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  });
});

test("if two browsers tick the same box, the second one gets a 409", async () => {
  const body = "- [ ] one\n- [ ] two\n";
  const { number } = await world.github.api<{ number: number }>("/issues", {
    method: "POST",
    body: { title: "List", body },
  });
  const list = `/acme/docs/issues/${number}`;
  const [, seen = ""] = /name="seen" value="(\w+)"/.exec(await page(list)) ?? [];
  const tick = () => send(`${list}/tick`, { task: "1", seen });
  const answers = await Promise.all([tick(), tick()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await world.github.api(`/issues/${number}`)).toMatchObject({
    body: "- [ ] one\n- [x] two\n",
  });
  // The page shows edits by people, but not those by apps.
  expect(await page(list)).toContain("edited by maintainer");
});

test("the button of a pull request merges it once", async () => {
  const [pull] = await world.github.api<{ number: number; merged_at: string | null }[]>("/pulls");
  const address = `/acme/docs/pull/${pull?.number}`;
  expect(await page(address)).toContain("Merge pull request");
  expect((await send(`${address}/end`, { how: "merge" })).status).toBe(200);
  expect((await send(`${address}/end`, { how: "merge" })).status).toBe(405);
  const text = await page(address);
  expect(text).toContain("Merged");
  expect(text).not.toContain("Merge pull request");
});
