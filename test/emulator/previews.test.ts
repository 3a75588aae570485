import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { MemoryServers, SERVICE } from "../../emulator/local-world/memory-servers.ts";
import { type Client, clientOf, until } from "./client.ts";

const PREVIEW = "/v1/project/preview/acme-docs";
const STATUS = "/v1/project/update-status";

type Preview = { statusId: string; previewUrl: string };
type Build = { status: string; logs: string[] };

let world: LocalWorld;
let client: Client;

beforeAll(async () => {
  const steering = { durationMs: 5, buildMs: 20 };
  world = await startLocalWorld({ steering, service: { limits: { agent: 100, previews: 100 } } });
  client = clientOf(world);
});

afterAll(() => world.close());

const preview = (body: unknown) => client.call<Preview>("POST", PREVIEW, { body });
const status = async (id: string) => (await client.call<Build>("GET", `${STATUS}/${id}`)).body;
const built = (id: string) =>
  until(
    () => status(id),
    ({ status: at }) => at === "success" || at === "failure",
  );

async function complete(prompt: string) {
  const { id } = (await client.create(prompt)).body;
  return client.pollUntilNot("active", id);
}

test("a branch is built, anew each time, and can be looked at", async () => {
  const { source } = await complete("Explain <b>previews</b>.");
  const body = { branch: source.ref };
  const { status: code, body: first } = await preview(body);
  expect(code).toBe(202);
  const path = "docs/explain-b-previews-b.md";
  expect(await built(first.statusId)).toEqual({
    ...{ _id: first.statusId, status: "success", summary: expect.any(String) },
    logs: expect.arrayContaining([`Parsing ${path}`]),
  });
  const { body: second } = await preview(body);
  expect(second.previewUrl).toBe(first.previewUrl);
  expect(second.statusId).not.toBe(first.statusId);
  const page = await (await fetch(first.previewUrl)).text();
  expect(page).toContain("# <b>previews</b>");
});

test.each([
  ["build=red", ["failure", "success"]],
  ["build=stuck", ["failure", "failure"]],
])("%s fails, with a log, and a follow-up may mend it", async (option, ends) => {
  const { id, source } = await complete(`Explain builds.\nemulate: ${option}`);
  const build = async () => built((await preview({ branch: source.ref })).body.statusId);
  const first = await build();
  await client.message(id, "Mend it.");
  await client.pollUntilNot("active", id);
  expect([first.status, (await build()).status]).toEqual(ends);
  expect(first.logs.at(-2)).toMatch(/^error: docs\/explain-builds\.md:3/);
});

test.each([
  ["no branch", 400, "POST", PREVIEW, {}],
  ["an unknown branch", 400, "POST", PREVIEW, { branch: "none" }],
  ["an unknown project", 404, "POST", "/v1/project/preview/nobody", { branch: "main" }],
  ["an unknown build", 404, "GET", `${STATUS}/none`, undefined],
])("%s is refused with %i", async (_, code, method, path, body) => {
  const reply = await client.call(method, path, { body });
  expect([reply.status, reply.body]).toEqual([code, { error: expect.any(String) }]);
});

test("a key is needed, and patience", async () => {
  expect((await client.call("POST", PREVIEW, { body: {}, key: undefined })).status).toBe(401);
  const body = { branch: "main" };
  await using plain = await startLocalWorld();
  const ask = () => clientOf(plain).call("POST", PREVIEW, { body });
  const replies = [];
  for (let count = 0; count < 6; count += 1) replies.push(await ask());
  expect(replies.map((reply) => reply.status)).toEqual([202, 202, 202, 202, 202, 429]);
  expect(Number(replies.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(50);
  await world.service.addFault({ route: "preview", status: 503 });
  expect((await preview(body)).status).toBe(503);
});

test("in memory, a build goes on as the clock does", () => {
  const steering = { build: "red", buildMs: 1000 } as const;
  const servers = new MemoryServers(() => ({ outcome: "completed", takes: 0, steering }));
  const ask = <Body>(method: string, path: string, body: object) => {
    const url = new URL(path, SERVICE);
    return JSON.parse(servers.perform({ method, url, body: JSON.stringify(body) }).text) as Body;
  };
  const { source } = ask<{ source: { ref: string } }>("POST", "/v2/agent/docs/job", {
    prompt: "Write.",
  });
  const { statusId } = ask<Preview>("POST", "/v1/project/preview/docs", { branch: source.ref });
  const states = [0, 249, 1, 749, 1].map((passed) => {
    servers.now += passed;
    return ask<Build>("GET", `${STATUS}/${statusId}`, {}).status;
  });
  expect(states).toEqual(["queued", "queued", "in_progress", "in_progress", "failure"]);
});
