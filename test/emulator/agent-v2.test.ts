import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { type Client, clientOf, until } from "./client.ts";

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

  test("a prompt of white space is long enough", async () => {
    expect((await client.create(" ")).status).toBe(201);
  });

  test("an unknown project is a 404", async () => {
    const reply = await client.call("POST", "/v2/agent/nobody/job", { body: { prompt: "x" } });
    expect([reply.status, reply.body]).toEqual([404, { error: "Project not found" }]);
  });

  test("a prompt of a megabyte is received whole", async () => {
    const prompt = "é".repeat(512 * 1024);
    await client.create(prompt);
    const [job] = (await world.service.jobs()).slice(-1);
    expect(job?.turns[0]?.prompt === prompt).toBe(true);
  });
});

describe("a job's turn", () => {
  test.each([
    ["outcome=completed", { status: "completed", prLink: expect.stringContaining("/pull/") }],
    ["outcome=no-changes", { status: "completed", prLink: null }],
    ["pr=none", { status: "completed", prLink: null }],
    ["pr=javascript:alert(1)", { status: "completed", prLink: "javascript:alert(1)" }],
    ["outcome=failed", { status: "failed", prLink: null, archivedAt: null }],
    ["outcome=archived", { status: "archived", archivedAt: expect.stringContaining("T") }],
  ])("%s ends so", async (option, expected) => {
    const { body } = await client.create(`Explain keys.\nemulate: ${option}`);
    expect(await client.pollUntilNot("active", body.id)).toMatchObject(expected);
  });

  test("an unknown status is shown while the agent works", async () => {
    const { body } = await client.create("emulate: status=weird outcome=failed");
    expect(body.status).toBe("weird");
    expect((await client.pollUntilNot("weird", body.id)).status).toBe("failed");
  });

  test("a job without an end stays active", async () => {
    const { body } = await client.create("emulate: duration=never");
    await client.pollUntilNot("active", (await client.create("emulate: outcome=failed")).body.id);
    expect((await client.poll(body.id)).body.status).toBe("active");
  });

  test("with a lag it is not found at first", async () => {
    const { body } = await client.create("emulate: lag=1500ms");
    expect((await client.poll(body.id)).status).toBe(404);
    const { status } = await until(
      () => client.poll(body.id),
      (reply) => reply.status !== 404,
    );
    expect(status).toBe(200);
  });

  test("is unknown once its outcome was read, when steered to be forgotten", async () => {
    const { body } = await client.create("emulate: forget outcome=no-changes");
    expect((await client.pollUntilNot("active", body.id)).status).toBe("completed");
    expect((await client.poll(body.id)).status).toBe(404);
    expect((await client.message(body.id, "More.")).status).toBe(404);
  });

  test("or from a time after its creation", async () => {
    const { body } = await client.create("emulate: duration=never forget=1500ms");
    expect((await client.poll(body.id)).status).toBe(200);
    await until(
      () => client.poll(body.id),
      ({ status }) => status === 404,
    );
  });

  test("polls can show the record of another job at first", async () => {
    const { body } = await client.create("emulate: other-job=1500ms pr=none");
    expect(body.status).toBe("active");
    const other = (await client.poll(body.id)).body;
    expect(other).toMatchObject({ status: "completed", prLink: expect.stringContaining("/pull/") });
    expect(other.id).not.toBe(body.id);
    const own = await until(
      async () => (await client.poll(body.id)).body,
      ({ id }) => id === body.id,
    );
    expect(own.prLink).toBe(null);
  });

  test("a record can show no branch", async () => {
    const { body } = await client.create("emulate: branch=none");
    expect(body.source.ref).toBe(null);
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

  test("brings an archived job back", async () => {
    const id = await finished("outcome=archived");
    expect((await client.message(id, "More.")).body).toMatchObject({
      status: "active",
      archivedAt: null,
    });
  });

  test("with staleness, the record from before is shown at first", async () => {
    const id = await finished("outcome=failed");
    const { body } = await client.message(id, "emulate: stale=1500ms duration=3000ms pr=none");
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

  test("without a prompt is a 400, to nobody a 404", async () => {
    expect((await client.message(await finished(), "")).status).toBe(400);
    expect((await client.message("nobody", "More.")).status).toBe(404);
  });

  test("can be answered without a status", async () => {
    await using other = await startLocalWorld({
      steering: { durationMs: 1, pr: "none" },
      service: { quirks: { messageWithoutStatus: true } },
    });
    const { create, message } = clientOf(other);
    const { id } = (await create("x")).body;
    const { body } = await message(id, "y");
    expect(body).toMatchObject({ id });
    expect(body).not.toHaveProperty("status");
  });
});
