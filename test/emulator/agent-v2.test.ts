import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { type Client, clientOf } from "./client.ts";

let world: LocalWorld;
let client: Client;

beforeAll(async () => {
  world = await startLocalWorld({ steering: { durationMs: 20 } });
  client = clientOf(world);
});

afterAll(() => world.close());

describe("create", () => {
  test("answers 201 with an active job that has every field of the document", async () => {
    const { status, body } = await client.create("Explain keys.");
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[\w-]+$/),
      status: "active",
      source: {
        repository: `${world.github.url}/acme/docs`,
        ref: expect.stringMatching(/^docs-agent\//),
      },
      model: "sonnet",
      prLink: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      archivedAt: null,
    });
  });

  test.each([
    ["no prompt", {}],
    ["an empty prompt", { prompt: "" }],
    ["a prompt that is no text", { prompt: 5 }],
    ["an array", []],
    ["broken JSON", '{"prompt":'],
    ["nothing", ""],
    ["a misspelt option", { prompt: "emulate: oucome=failed" }],
  ])("%s is a 400 with a message", async (_, body) => {
    const reply = await client.call("POST", "/v2/agent/acme-docs/job", { body });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error: expect.any(String) });
  });

  test("an unknown project is a 404", async () => {
    const reply = await client.call("POST", "/v2/agent/nobody/job", { body: { prompt: "x" } });
    expect([reply.status, reply.body]).toEqual([404, { error: "Project not found" }]);
  });
});

describe("a job's turn", () => {
  test.each([
    ["outcome=completed", { status: "completed", prLink: expect.stringContaining("/pull/") }],
    ["outcome=no-changes", { status: "completed", prLink: null }],
    ["pr=javascript:alert(1)", { status: "completed", prLink: "javascript:alert(1)" }],
    ["outcome=failed", { status: "failed", prLink: null, archivedAt: null }],
    ["outcome=archived", { status: "archived", archivedAt: expect.stringContaining("T") }],
  ])("%s ends so", async (option, expected) => {
    const { body } = await client.create(`Explain keys.\nemulate: ${option}`);
    expect(await client.pollUntilNot("active", body.id)).toMatchObject(expected);
  });

  test("a job of another project is not found", async () => {
    await using other = await startLocalWorld({
      service: {
        projects: [
          { id: "one", repository: "acme/docs" },
          { id: "two", repository: "acme/docs" },
        ],
      },
    });
    const { call } = clientOf(other);
    const created = { body: { prompt: "x" } };
    const { body } = await call<{ id: string }>("POST", "/v2/agent/one/job", created);
    expect((await call("GET", `/v2/agent/one/job/${body.id}`)).status).toBe(200);
    expect((await call("GET", `/v2/agent/two/job/${body.id}`)).status).toBe(404);
  });
});

describe("follow-up", () => {
  const finished = async (options = "outcome=no-changes") => {
    const { body } = await client.create(`Explain keys.\nemulate: ${options}`);
    await client.pollUntilNot("active", body.id);
    return body.id;
  };

  test("makes the job active for another turn, which ends as it is steered", async () => {
    const id = await finished();
    const { status, body } = await client.message(id, "More.\nemulate: outcome=failed");
    expect([status, body.id, body.status]).toEqual([200, id, "active"]);
    expect((await client.pollUntilNot("active", id)).status).toBe("failed");
  });

  test("with staleness, the record from before is shown at first", async () => {
    const id = await finished("outcome=failed");
    const { body } = await client.message(
      id,
      "emulate: stale=1500ms duration=3000ms outcome=no-changes",
    );
    expect(body.status).toBe("failed");
    expect((await client.poll(id)).body.status).toBe("failed");
    expect((await client.pollUntilNot("failed", id)).status).toBe("active");
    expect((await client.pollUntilNot("active", id)).status).toBe("completed");
  });

  test("to a working job takes over, unless the job is busy", async () => {
    const idle = (await client.create("emulate: duration=never")).body.id;
    expect((await client.message(idle, "emulate: outcome=failed")).status).toBe(200);
    expect((await client.pollUntilNot("active", idle)).status).toBe("failed");

    const busy = (await client.create("emulate: busy outcome=failed duration=1500ms")).body.id;
    const reply = await client.message(busy, "More.");
    expect([reply.status, typeof reply.body.error]).toEqual([409, "string"]);
    await client.pollUntilNot("active", busy);
    expect((await client.message(busy, "More.")).status).toBe(200);
  });
});
