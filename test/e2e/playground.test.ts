/** What the playground does when its forms are sent, in a browser or not. */

import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { PLAYGROUND_WORLD, type Playground, startPlayground } from "../../playground/index.ts";
import { bodyHash, TASKS, TASKS_FILE } from "../../playground/site/tasks.ts";
import { ACTIONS } from "../../scripts/actions.ts";
import { someOf } from "../support/sample.ts";

let world: LocalWorld;
let playground: Playground;

beforeAll(async () => {
  world = await startLocalWorld({ ...PLAYGROUND_WORLD, steering: { durationMs: 200 } });
  playground = await startPlayground(world);
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

/** Writes a comment on the issue, which the workflow that waits answers. */
function ask(login: string, body: string): Promise<Sent> {
  return send(`${ISSUE}/comments`, { login, body, waits: "on" });
}

type Texts = (string | RegExp)[];

/** Follows a page's updates until its main part, and its margin, hold what they should. */
async function shown(address: string, texts: Texts, margin: Texts = []): Promise<string> {
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
    if (holds(main, texts) && holds(aside, margin)) {
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

function holds(text: string, wanted: Texts): boolean {
  return wanted.every((it) => (typeof it === "string" ? text.includes(it) : it.test(text)));
}

const SUCCEEDED = /pill good">success/;
const FAILED = /pill bad">failure/;
const SKIPPED = /pill idle">skipped/;

/** The paths of a workflow's runs on a page, newest first. */
function runsOf(text: string, workflow: string): string[] {
  const links = text.matchAll(/href="([^"]*\/actions\/runs\/\d+)">([^<]+)</g);
  return [...links].flatMap(([, path = "", name]) => (name === workflow ? [path] : []));
}

function runOf(text: string, workflow: string): string {
  return runsOf(text, workflow)[0] ?? "";
}

describe("a request on the issue", () => {
  test("is answered by the committed bundle, and the page shows it without being loaded again", async () => {
    const { status, answer } = await send(`${ISSUE}/comments`, {
      login: "writer",
      body: "/docs explain keys",
      waits: "on",
    });
    expect([status, answer.message]).toEqual([200, "Your comment is on the issue."]);
    const told = ["1 eyes", "1 rocket", "completed with a pull request"];
    const text = await shown(ISSUE, told, [
      SUCCEEDED,
      /Explain keys<\/a> <span class="number">· #\d/,
    ]);
    // Links of the emulated GitHub lead to pages of the playground.
    expect(text).toMatch(/<a href="\/acme\/docs\/pull\/\d+">Pull request/);
    expect(await page("/jobs")).toContain("explain keys");
    expect(await page("/acme/docs/actions/runs/1001/attempts/1")).toContain("Started job");
  });

  test("that the agent fails at is told on the thread, and the run has failed", async () => {
    await ask("writer", "/docs x\nemulate: outcome=failed");
    await shown(ISSUE, ["1 confused", "Docs agent: the job failed"], [FAILED, /pill bad">failed/]);
  });

  test("by somebody without permission starts no job", async () => {
    const jobs = await world.service.jobs();
    await ask("reader", "/docs let me");
    const reason = /Docs agent: not allowed/;
    const run = await shown(runOf(await page(ISSUE), "Docs by comment"), [SKIPPED, "1 -1", reason]);
    expect(run).toMatch(/reader commented on <a href="[^"]*#issuecomment-\d+">Explain how to/);
    expect(await world.service.jobs()).toHaveLength(jobs.length);
  });
});

describe("every action", () => {
  const run = (action: string, minutes = "1") => send(`/acme/docs/${action}`, { minutes });
  const merge = async () => send("/acme/docs/changes", { title: "Name keys", how: "merge" });
  /** By the action's name: how it is started, its workflow, what its run shows, and where else it shows. */
  const STARTS: Record<string, [start: () => Promise<unknown>, workflow: string, result: Texts]> = {
    main: [() => ask("writer", "/docs --new name keys"), "Docs by comment", ["prLink"]],
    upkeep: [
      () => merge().then(() => run("upkeep")),
      "Docs upkeep",
      ["dashboardUrl", "changeCount"],
    ],
    gate: [
      () => send("/acme/docs/changes", { title: "Name scopes", docs: "on", how: "open" }),
      "Docs gate",
      ["<code>included</code>"],
    ],
    land: [() => run("land", "60"), "Docs land", ["openCount"]],
    collect: [
      async () => {
        await send(`${ISSUE}/comments`, { login: "writer", body: "/docs --new later" });
        await shown(ISSUE, ["the agent is working"], [SUCCEEDED]);
        await world.service.untilJobsEnd();
        await run("collect");
      },
      "Docs by comment, without waiting",
      ["<code>finishedCount</code></th><td><code>1</code>", "On schedule"],
    ],
    queue: [() => run("queue"), "Docs queue", ["startedCount", "Docs queue"]],
    assistant: [
      () => send("/acme/docs/issues", { title: "How do I rotate a key?", question: "on" }),
      "Answer questions",
      ["<code>answer</code>", "maintainer labeled"],
    ],
    jobs: [() => run("jobs"), "Docs jobs", ["runningCount", "<table>"]],
  };

  test.each(ACTIONS.map(({ name }) => name))(
    "%s is run by its form, and its run shows its result",
    async (name) => {
      const [start, workflow, result] = STARTS[name] ?? [];
      if (start === undefined || workflow === undefined)
        throw new Error(`${name} is never started`);
      const before = runOf(await page("/acme/docs/actions"), workflow);
      await start();
      await expect
        .poll(async () => runOf(await page("/acme/docs/actions"), workflow), { timeout: 60_000 })
        .not.toBe(before);
      const path = runOf(await page("/acme/docs"), workflow);
      const text = await shown(path, [SUCCEEDED, ...(result ?? [])]);
      expect(text).toContain("Outputs of the step");
      // The first page leads there.
      expect(await page("/acme/docs")).toContain(`href="${path}" aria-label="Last run: success"`);
    },
  );

  test("queue: a commit of its tasks starts a run, and no second one from the same text", async () => {
    const text = `${TASKS}- Document webhooks.\n`;
    const before = runOf(await page("/acme/docs"), "Docs queue");
    const fields = { text, seen: bodyHash(TASKS) };
    expect((await send("/acme/docs/tasks", fields)).answer.location).toBe("/acme/docs");
    expect((await send("/acme/docs/tasks", fields)).status).toBe(409);
    expect(await page(`/acme/docs/blob/main/${TASKS_FILE}`)).toContain("- Document webhooks.\n");
    const path = runOf(await page("/acme/docs"), "Docs queue");
    expect(path).not.toBe(before);
    await shown(path, [SUCCEEDED, "maintainer pushed to main"]);
  });
});

test("an issue is opened by a person, with a request that is answered", async () => {
  const fields = { login: "maintainer", title: "Explain `limits`", body: "/docs explain limits" };
  const { answer } = await send("/acme/docs/issues", fields);
  const path = answer.location ?? "";
  await shown(
    path,
    ["<h1>Explain <code>limits</code>", "completed with a pull request"],
    [SUCCEEDED],
  );
  expect(await page("/acme/docs/issues")).toContain(
    `href="${path}">Explain <code>limits</code></a>`,
  );
  // The action has edited its status comment; no person has edited anything.
  expect(await page(path)).not.toContain("edited");
});

describe("bad input", () => {
  test.each(
    someOf([
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
      ["a box in another text", `${ISSUE}/tick`, { task: "0", seen: "0" }, 409, /changed/],
      ["an unknown form", "/acme/docs/other", {}, 404, /no such form/],
    ]),
  )("%s is refused in words", async (_, address, fields, status, words) => {
    const sent = await send(address, fields as unknown as Record<string, string>);
    expect(sent.status).toBe(status);
    expect(sent.answer.error).toMatch(words);
  });

  test("a page that is not there says so, whatever its address holds", async () => {
    const response = await fetch(`${playground.url}/<script>`);
    expect(response.status).toBe(404);
    const text = await response.text();
    expect(text).toContain("There is no such page.");
    expect(text).not.toContain("<script>");
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

  test.each<
    [what: string, form: string, fields: Record<string, string>, there: Texts, listed: Texts]
  >([
    [
      "a check that fails, with its annotation",
      "checks",
      {
        name: "Links",
        conclusion: "failure",
        body: "No such <page>",
        path: "docs/keys.md",
        line: "3",
      },
      [
        /bad">failure.*Links/,
        "<code>docs/keys.md:3</code> No such &#60;page&#62;",
        "not every check is green",
      ],
      ["1 of 1 check failed"],
    ],
    [
      "a review that asks for changes on a line",
      "reviews",
      {
        login: "maintainer",
        event: "REQUEST_CHANGES",
        body: "**Which** keys?",
        path: "docs/keys.md",
        line: "3",
      },
      [
        "requested changes",
        "commented on line 3 of docs/keys.md",
        "+Rotate them.",
        "<strong>Which</strong> keys?",
      ],
      ['bad">maintainer: changes requested'],
    ],
    [
      "a commit by a person, for which no check counts",
      "commits",
      { login: "writer", path: "docs/keys.md", to: "branch" },
      ["+Edited by writer", "No check has reported yet."],
      [],
    ],
    [
      "a conflict with its base",
      "commits",
      { login: "writer", path: "docs/keys.md", to: "base" },
      ['bad">Conflict', "It is in conflict with its base."],
      ['bad">Conflict'],
    ],
  ])("shows %s, and so does the list", async (_, form, fields, there, listed) => {
    expect(await send(`${address}/${form}`, fields)).toMatchObject({ status: 200 });
    const [text, list] = [await page(address), await page("/acme/docs/pulls")];
    for (const wanted of there) expect(text).toMatch(wanted);
    const row = list.split("<li>").find((one) => one.includes(`"${address}"`));
    for (const wanted of listed) expect(row).toMatch(wanted);
  });

  test("that conflicts is not merged, and says why; closed, it has no forms", async () => {
    const refused = await send(`${address}/end`, { how: "merge" });
    expect(refused).toMatchObject({
      status: 405,
      answer: { error: expect.stringContaining("not mergeable") },
    });
    expect(await page(address)).toContain("Report a check");
    expect((await send(`${address}/end`, { how: "close" })).status).toBe(200);
    const text = await page(address);
    expect(text).toContain('idle">Closed');
    expect(text).not.toMatch(/Report a check|Merge pull request/);
  });
});

describe("a code pull request", () => {
  const open = async (fields: Record<string, string>) => {
    const sent = await send("/acme/docs/changes", { how: "open", ...fields });
    const [, number = ""] = /#(\d+) is open/.exec(sent.answer.message ?? "") ?? [];
    return `/acme/docs/pull/${number}`;
  };
  const passed = (verdict: string) => `success</span> <b>gate</b> <span class="hint">${verdict}`;
  const NEEDED = 'failure</span> <b>gate</b> <span class="hint">needed';

  test("has the gate's verdict as a check, with its comment, and a label changes it", async () => {
    const address = await open({ title: "Pause webhooks" });
    await shown(address, [NEEDED, "Do one of these:"]);
    await send(`${address}/gate`, { how: "set", label: "skip-docs" });
    await shown(address, [passed("not-needed"), "no documentation needed"]);
    await send(`${address}/gate`, { how: "remove", label: "skip-docs" });
    await shown(address, [NEEDED, "Do one of these:"]);
    await send(`${address}/commits`, { path: "docs/webhooks.md" });
    await shown(address, [passed("included"), "documentation included"]);
    const documented = await open({ title: "Name webhooks", docs: "on" });
    expect(await shown(documented, [passed("included")])).not.toContain("Docs gate");
  });
});

describe("other pages of the browser", () => {
  test("cannot send its forms", async () => {
    const sent = await send("/acme/docs/upkeep", {}, { origin: "http://evil.example" });
    expect(sent.status).toBe(403);
  });

  test("cannot read it under a name of their own", async () => {
    const { port } = new URL(playground.url);
    const status = await new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, headers: { host: `evil.example:${port}` } };
      request(options, ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(421);
  });

  test("cannot show it in a frame, and it loads nothing from elsewhere", async () => {
    const { headers } = await fetch(`${playground.url}${ISSUE}`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  });
});

test("two browsers tick the same box: the second is told that the text has changed", async () => {
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
  // Whoever ticked it has edited the text, which an edit by an app would not show.
  expect(await page(list)).toContain("edited by maintainer");
});

test("a pull request is merged once, by its button", async () => {
  const [pull] = await world.github.api<{ number: number; merged_at: string | null }[]>("/pulls");
  const address = `/acme/docs/pull/${pull?.number}`;
  expect(await page(address)).toContain("Merge pull request");
  expect((await send(`${address}/end`, { how: "merge" })).status).toBe(200);
  expect((await send(`${address}/end`, { how: "merge" })).status).toBe(405);
  const text = await page(address);
  expect(text).toContain("Merged");
  expect(text).not.toContain("Merge pull request");
});
