import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { RepositoryHistory } from "../../emulator/local-world/repository-history.ts";
import { promptFor } from "../../src/github/change-prompt.ts";
import type { ChangedFile } from "../../src/github/history-records.ts";
import { INTRODUCTION } from "../../src/github/prompt-context.ts";
import { type Client, clientOf } from "./client.ts";

interface Pull {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  commits: number;
  changed_files: number;
  html_url: string;
  user: { login: string };
  head: { ref: string; sha: string };
  base: { ref: string };
}

interface File {
  filename: string;
  status: string;
  patch: string;
}

let world: LocalWorld;
let client: Client;

beforeAll(async () => {
  world = await startLocalWorld({ steering: { durationMs: 10 } });
  client = clientOf(world);
});

afterAll(() => world.close());

async function complete(prompt: string) {
  const { id } = (await client.create(prompt)).body;
  return client.pollUntilNot("active", id);
}

const numberIn = (prLink: string | null) => /\/pull\/(\d+)$/.exec(prLink ?? "")?.[1];
const pulls = () => world.github.api<Pull[]>("/pulls?state=all&per_page=100");

describe("a job that changed files", () => {
  test("opens a pull request with a commit on its own branch", async () => {
    const job = await complete("Explain key rotation.\nemulate: duration=5ms\nIn detail.");
    const number = numberIn(job.prLink);
    const pull = await world.github.api<Pull>(`/pulls/${number}`);
    expect(pull).toMatchObject({
      title: "Explain key rotation",
      html_url: job.prLink,
      user: { login: "docs-agent[bot]" },
      head: { ref: job.source.ref },
      base: { ref: "main" },
      commits: 1,
      changed_files: 1,
    });
    const files = await world.github.api<File[]>(`/pulls/${number}/files`);
    expect(files).toMatchObject([{ filename: "docs/explain-key-rotation.md", status: "added" }]);
    expect(files[0]?.patch).toContain("+# Key rotation\n+\n+This page is about key rotation.");
    expect(files[0]?.patch).not.toContain("emulate:");
    expect(pull.body).toContain("This adds a page about key rotation.");
    expect(pull.body).toContain(`Job \`${job.id}\` of the emulated service wrote this`);
  });

  test("adds a commit to the same pull request after a follow-up", async () => {
    const first = await complete("Explain webhooks.");
    const number = numberIn(first.prLink);
    const before = await world.github.api<Pull>(`/pulls/${number}`);

    await client.message(first.id, "Mention signatures.");
    const second = await client.pollUntilNot("active", first.id);

    expect(second.prLink).toBe(first.prLink);
    const after = await world.github.api<Pull>(`/pulls/${number}`);
    expect(after.commits).toBe(2);
    expect(after.head.sha).not.toBe(before.head.sha);
    const [file] = await world.github.api<File[]>(`/pulls/${number}/files`);
    expect(file?.patch).toContain("+# Webhooks");
    expect(file?.patch).toContain("+## Signatures");
  });

  test("writes of the changes that a batch quotes, and repeats nothing else of the prompt", async () => {
    const change = (number: number, more: object) => ({
      change: {
        ...{
          kind: "change" as const,
          key: `#${number}`,
          repository: "acme/app",
          number,
          sha: "a".repeat(40),
        },
        ...{ url: `https://github.com/acme/app/pull/${number}`, author: "writer" },
        ...{ landedAt: "2026-01-01T00:00:00Z", title: `Add the option --${number}` },
      } as const,
      ...{ labels: [], body: "", files: null, hasMoreFiles: false, ...more },
    });
    const files = [{ path: "src/retry.ts", additions: 3, deletions: 1 }] as ChangedFile[];
    const batch = [change(7, { body: "It retries.", files }), change(8, {})];
    const { prLink, id } = await complete(promptFor(null, batch, false));
    const path = `/pulls/${numberIn(prLink)}`;
    const { title, body } = await world.github.api<Pull>(path);
    expect(title).toBe("Document “Add the option --7” and 1 more");
    const [file] = await world.github.api<File[]>(`${path}/files`);
    expect(file?.filename).toBe("docs/add-the-option-7.md");
    for (const text of [
      "+# Add the option --7\n",
      "+Since [acme/app#7](https://github.com/acme/app/pull/7): Add the option --7. The change is in `src/retry.ts`.",
      "+It retries.",
      "+## Add the option --8",
    ]) {
      expect(file?.patch).toContain(text);
    }
    expect(body).toContain(
      "- [acme/app#8](https://github.com/acme/app/pull/8): Add the option --8",
    );
    expect(`${body}${file?.patch}`).not.toMatch(/quoted|instructions|^\+?>/m);

    const pull = `Your pull request ${prLink} is not ready to be merged: there is 1 failed check.`;
    await client.message(id, `${pull}\n\n---\n\n${INTRODUCTION}\n\n## Failed check\n\n> links`);
    await client.pollUntilNot("active", id);
    const [mended] = await world.github.api<File[]>(`${path}/files`);
    expect(mended?.patch).toContain("+This page was corrected after its checks and reviews.");
    expect(mended?.patch).not.toMatch(/links|not ready/);
  });

  test("opens it once, however many poll at that moment", async () => {
    const before = (await pulls()).length;
    const { id } = (await client.create("Explain errors.\nemulate: duration=1ms")).body;
    const polls = await Promise.all(Array.from({ length: 20 }, () => client.poll(id)));
    await client.pollUntilNot("active", id);
    expect(polls.every(({ status }) => status === 200)).toBe(true);
    expect((await pulls()).length).toBe(before + 1);
  });

  test("fails when GitHub refuses, and the reason is on the turn", async () => {
    await using other = await startLocalWorld({
      steering: { durationMs: 1 },
      service: { projects: [{ id: "acme-docs", repository: "acme/missing" }] },
    });
    const { create, pollUntilNot } = clientOf(other);
    const { id } = (await create("Explain keys.")).body;
    expect(await pollUntilNot("active", id)).toMatchObject({ status: "failed", prLink: null });
    const [job] = await other.service.jobs();
    expect(job?.turns[0]?.outcome?.reason).toContain("404");
  });
});

describe("what a job's steering makes of its pull request", () => {
  interface Runs {
    check_runs: { name: string; conclusion: string; app: { slug: string }; id: number }[];
  }
  const followUp = async (id: string, prompt: string) => {
    await client.message(id, prompt);
    return client.pollUntilNot("active", id);
  };

  test.each([
    ["checks=red", "", ["failure", "success"]],
    ["checks=stuck", "", ["failure", "failure"]],
    ["checks=green", "", ["success", "success"]],
    ["checks=red", "emulate: checks=red", ["failure", "failure"]],
    ["checks=none", "", [undefined, undefined]],
  ])("%s, then a follow-up with '%s'", async (option, line, conclusions) => {
    const { id, source } = await complete(`Explain ${option} ${line.length}.\nemulate: ${option}`);
    const check = async () =>
      (await world.github.api<Runs>(`/commits/${source.ref}/check-runs`)).check_runs[0];
    const first = await check();
    await followUp(id, `Mend it.\n${line}`);
    expect([first?.conclusion, (await check())?.conclusion]).toEqual(conclusions);
  });

  test("a red check has an annotation on the page", async () => {
    const { source } = await complete("Explain links.\nemulate: checks=red");
    const path = `/commits/${source.ref}/check-runs`;
    const [run] = (await world.github.api<Runs>(path)).check_runs;
    expect(run).toMatchObject({ name: "docs-check", app: { slug: "ci" } });
    const annotations = await world.github.api(`/check-runs/${run?.id}/annotations`);
    expect(annotations).toMatchObject([{ path: "docs/explain-links.md", start_line: 3 }]);
  });

  test("a conflict is there until a follow-up", async () => {
    const { id, prLink } = await complete("Explain merges.\nemulate: conflict");
    const path = `/pulls/${numberIn(prLink)}`;
    expect(await world.github.api(path)).toMatchObject({ mergeable: false });
    await followUp(id, "Merge it.");
    expect(await world.github.api(path)).toMatchObject({ mergeable: true, changed_files: 1 });
    const [file] = await world.github.api<File[]>(`${path}/files`);
    expect(file).toMatchObject({ status: "modified" });
    expect(file?.patch).toContain("+# Merges");
  });
});

test("people push, report, review, resolve and conflict in a few words", async () => {
  const { github } = world;
  const history = new RepositoryHistory(github);
  const number = Number(numberIn((await complete("Explain people.")).prLink));
  const path = "docs/explain-people.md";
  const head = await history.pushTo(number, { author: "reader" });
  await history.report(number, { annotations: [{ path, start_line: 1, message: "No." }] });
  await history.report(number, { name: "slow", conclusion: "" });
  const comments = [{ path, line: 1, body: "Why?" }];
  await history.review(number, "REQUEST_CHANGES", { body: "Not yet.", comments });
  const told = () => github.api(`/pulls/${number}`);
  expect(await told()).toMatchObject({ mergeable: true, head: { sha: head }, commits: 2 });
  const { checkRuns, reviews, reviewComments, find } = github.home;
  expect(find(head)?.author.name).toBe("reader");
  expect(checkRuns.slice(-2)).toMatchObject([
    { head_sha: head, name: "docs-check", conclusion: "failure", annotations: [{ path }] },
    { head_sha: head, name: "slow", status: "in_progress", conclusion: null },
  ]);
  expect(reviews).toMatchObject([{ pull: number, state: "CHANGES_REQUESTED", user: "maintainer" }]);
  expect(reviewComments).toMatchObject([{ path, body: "Why?", isResolved: false }]);
  await history.resolve(number);
  await history.conflict(number);
  expect(reviewComments).toMatchObject([{ isResolved: true }]);
  expect(await told()).toMatchObject({ mergeable: false });
});
