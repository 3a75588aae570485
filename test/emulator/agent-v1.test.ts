import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { finishedJob } from "../../emulator/service/seed.ts";
import { type Client, clientOf, until } from "./client.ts";

const JOBS = "/v1/agent/acme-docs/job";

interface Session extends Record<string, unknown> {
  sessionId: string;
  haulted: boolean;
  pullRequestLink?: string;
  todos: { status: string; priority: string }[];
}

let world: LocalWorld;
let client: Client;

beforeAll(async () => {
  world = await startLocalWorld({ steering: { durationMs: 20 } });
  client = clientOf(world);
});

afterAll(() => world.close());

const create = (content: string, rest: object = { branch: "docs/keys" }, on = client) =>
  on.call<string>("POST", JOBS, { body: { ...rest, messages: [{ role: "user", content }] } });

async function ended(content: string, rest?: object): Promise<Session> {
  const { headers } = await create(content, rest);
  const id = headers.get("x-session-id");
  const { body } = await until(
    () => client.call<Session>("GET", `${JOBS}/${id}`),
    (reply) => reply.body.haulted,
  );
  return body;
}

describe("create", () => {
  test("streams text until the job's end, the id and branch in its headers", async () => {
    const { status, headers, body } = await create("Explain keys.");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain("text/plain");
    expect(headers.get("x-session-id")).toMatch(/^[\w-]+$/);
    expect(headers.get("x-branch-name")).toBe("docs/keys");
    expect(body.split("\n")).toEqual([
      "Working on branch docs/keys",
      expect.stringContaining("Step 1"),
      expect.stringContaining("Step 2"),
      expect.stringContaining("Step 3"),
      "Done: completed",
      "",
    ]);
  });

  test("names a branch itself when it is given none", async () => {
    const { headers } = await create("Explain keys.", {});
    expect(headers.get("x-branch-name")).toMatch(/^docs-agent\//);
  });

  test.each([
    ["no messages", {}],
    ["empty messages", { messages: [] }],
    ["no user message", { messages: [{ role: "system", content: "x" }] }],
    ["an unknown role", { messages: [{ role: "tool", content: "x" }] }],
    ["no content", { messages: [{ role: "user", content: "" }] }],
    ["an unknown model", { model: "haiku", messages: [{ role: "user", content: "x" }] }],
    ["a draft that is text", { asDraft: "yes", messages: [{ role: "user", content: "x" }] }],
  ])("%s is a 400", async (_, body) => {
    const reply = await client.call("POST", JOBS, { body });
    expect([reply.status, reply.body]).toEqual([400, { error: expect.any(String) }]);
  });

  test("opens a draft unless asked otherwise, or goes on with what a branch has", async () => {
    const drafts = [];
    for (const rest of [{}, { asDraft: false, branch: "taken" }, { branch: "taken" }]) {
      const session = await ended("Explain keys.", rest);
      const number = String(session.pullRequestLink).split("/").at(-1);
      drafts.push((await world.github.api<{ draft: boolean }>(`/pulls/${number}`)).draft);
    }
    expect(drafts).toEqual([true, false, false]);
  });

  test("the last user message is the task, the model is kept", async () => {
    const messages = [
      { role: "user", content: "emulate: outcome=failed" },
      { role: "assistant", content: "I see." },
      { role: "user", content: "Explain scopes." },
    ];
    await client.call("POST", JOBS, { body: { branch: "b", model: "opus", messages } });
    const [job] = (await world.service.jobs()).slice(-1);
    expect(job).toMatchObject({ model: "opus", record: { status: "completed" } });
  });
});

test("create can be answered with the session as JSON, the id in no header", async () => {
  await using other = await startLocalWorld({ service: { quirks: { jsonCreate: true } } });
  const api = clientOf(other);
  const { status, headers, body } = await create("emulate: duration=never", {}, api);
  expect([status, headers.get("x-session-id")]).toEqual([200, null]);
  expect(headers.get("content-type")).toContain("application/json");
  const { sessionId } = body as unknown as Session;
  const session = await api.call<Session>("GET", `${JOBS}/${sessionId}`);
  expect(session.body).toMatchObject({ sessionId, haulted: false });
});

describe("the stream", () => {
  test("can break while the job goes on", async () => {
    const response = await fetch(`${world.service.url}${JOBS}`, {
      method: "POST",
      headers: { authorization: `Bearer ${world.service.adminKey}` },
      body: JSON.stringify({
        messages: [{ role: "user", content: "emulate: stream=break duration=60ms pr=none" }],
      }),
    });
    await expect(response.text()).rejects.toThrow();
    const id = response.headers.get("x-session-id") ?? "";
    expect((await client.pollUntilNot("active", id)).status).toBe("completed");
  });

  test("can be without an end, until the emulator is closed", async () => {
    const other = await startLocalWorld({ steering: { durationMs: 3 } });
    const response = await fetch(`${other.service.url}${JOBS}`, {
      method: "POST",
      headers: { authorization: `Bearer ${other.service.adminKey}` },
      body: JSON.stringify({ messages: [{ role: "user", content: "emulate: stream=endless" }] }),
    });
    const decoder = new TextDecoder();
    let read = "";
    const reading = (async () => {
      for await (const chunk of response.body ?? []) {
        read += decoder.decode(chunk, { stream: true });
        if (read.includes("Still here (2)")) void other.close();
      }
    })();
    await expect(reading).rejects.toThrow();
    expect(read).toContain("Still here (2)");
  });

  test("can be as long as it is steered to be", async () => {
    const { body } = await create("emulate: stream=2MiB pr=none");
    expect(body.length).toBeGreaterThan(2 * 1024 * 1024);
  });

  test("can be events, and come without the header", async () => {
    const quirks = { eventStream: true, noSessionHeader: true };
    await using other = await startLocalWorld({ steering: { durationMs: 1 }, service: { quirks } });
    const { headers, body } = await create("Explain keys.", {}, clientOf(other));
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(headers.get("x-session-id")).toBe(null);
    expect(body).toMatch(/^data: \{"type":"text","text":"Working on/);
  });
});

describe("a session", () => {
  test("is running at first, with a list of things to do", async () => {
    const created = (await client.create("Explain keys.\nemulate: duration=never")).body;
    const { body } = await client.call<Session>("GET", `${JOBS}/${created.id}`);
    expect(body).toMatchObject({
      sessionId: created.id,
      subdomain: "acme",
      branch: created.source.ref,
      haulted: false,
      haultReason: "processing",
      userId: expect.any(String),
      title: "Explain keys.",
      createdAt: created.createdAt,
    });
    expect(body.todos.map(({ status }) => status)).toEqual(["in_progress", "pending", "pending"]);
    expect(body).not.toHaveProperty("pullRequestLink");
  });

  test.each([
    ["outcome=completed", "completed", "completed"],
    ["outcome=failed", "error", "cancelled"],
    ["outcome=failed reason=repohost_missconfigured", "repohost_missconfigured", "cancelled"],
    ["outcome=archived", "interrupted", "cancelled"],
  ])("%s is haulted for a reason", async (options, haultReason, lastTodo) => {
    const session = await ended(`Explain keys.\nemulate: ${options}`);
    expect(session).toMatchObject({ haultReason, messageToUser: expect.any(String) });
    expect(session.todos.at(-1)?.status).toBe(lastTodo);
    expect("pullRequestLink" in session).toBe(haultReason === "completed");
  });

  test("can show no branch, and no reason while it runs", async () => {
    const quirks = { noReasonWhileRunning: true };
    await using other = await startLocalWorld({ service: { quirks } });
    const { create: begin, call } = clientOf(other);
    const { id } = (await begin("emulate: branch=none")).body;
    const { body } = await call<Session>("GET", `${JOBS}/${id}`);
    expect(body).toMatchObject({ branch: null, haulted: false });
    expect(body).not.toHaveProperty("haultReason");
  });

  test("can be the one of another job at first", async () => {
    const { id } = (await client.create("emulate: other-job=1m duration=never")).body;
    const { body } = await client.call<Session>("GET", `${JOBS}/${id}`);
    expect(body).toMatchObject({
      haulted: true,
      pullRequestLink: expect.stringContaining("/pull/"),
    });
    expect(body.sessionId).not.toBe(id);
  });

  test("that does not exist is a 404", async () => {
    expect((await client.call("GET", `${JOBS}/nobody`)).status).toBe(404);
  });
});

describe("the list", () => {
  const jobs = Array.from({ length: 120 }, (_, index) =>
    finishedJob({ id: `job-${index}`, createdAt: 1_700_000_000_000 + index }),
  );
  type List = { allSessions: Session[] };
  const idsIn = ({ allSessions }: List) => allSessions.map(({ sessionId }) => sessionId);

  test("holds 12 sessions, the newest first, unless asked for others", async () => {
    await using other = await startLocalWorld({ service: { jobs } });
    const { call } = clientOf(other);
    const list = async (query: string) => idsIn((await call<List>("GET", `${JOBS}s${query}`)).body);
    expect(await list("")).toEqual(
      jobs
        .slice(-12)
        .map(({ id }) => id)
        .toReversed(),
    );
    expect(await list("?take=100")).toHaveLength(100);
    expect(await list("?skip=118&take=5")).toEqual(["job-1", "job-0"]);
    expect(await list("?skip=120")).toEqual([]);
  });

  test.each(["take=0", "take=101", "take=x", "skip=-1"])("%s is a 400", async (query) => {
    expect((await client.call("GET", `${JOBS}s?${query}`)).status).toBe(400);
  });

  test("can ignore skip and take", async () => {
    await using other = await startLocalWorld({ service: { jobs, quirks: { unpagedList: true } } });
    const { body } = await clientOf(other).call<List>("GET", `${JOBS}s?skip=100&take=10`);
    expect(body.allSessions).toHaveLength(120);
  });

  test("can leave out the jobs of version 2", async () => {
    const both = [finishedJob({ id: "one", version: 1 }), finishedJob({ id: "two", version: 2 })];
    const list = async (listWithoutVersion2: boolean) => {
      const service = { jobs: both, quirks: { listWithoutVersion2 } };
      await using other = await startLocalWorld({ service });
      return idsIn((await clientOf(other).call<List>("GET", `${JOBS}s`)).body).sort();
    };
    expect(await list(true)).toEqual(["one"]);
    expect(await list(false)).toEqual(["one", "two"]);
  });
});
