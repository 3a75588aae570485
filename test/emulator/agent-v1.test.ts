import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { finishedJob } from "../../emulator/service/state.ts";
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
      title: "Explain keys",
      createdAt: created.createdAt,
    });
    expect(body.todos.map(({ status }) => status)).toEqual(["in_progress", "pending", "pending"]);
    expect(body).not.toHaveProperty("pullRequestLink");
  });

  test.each([
    ["outcome=completed", "completed", "completed"],
    ["outcome=failed", "error", "cancelled"],
    ["outcome=archived", "interrupted", "cancelled"],
  ])("%s is haulted for a reason", async (options, haultReason, lastTodo) => {
    const session = await ended(`Explain keys.\nemulate: ${options}`);
    expect(session).toMatchObject({ haultReason, messageToUser: expect.any(String) });
    expect(session.todos.at(-1)?.status).toBe(lastTodo);
    expect("pullRequestLink" in session).toBe(haultReason === "completed");
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
});
