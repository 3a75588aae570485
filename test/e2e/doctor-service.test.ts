import { describe, expect, test } from "vitest";
import { json, redirect, text } from "../support/answers.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { checksThatAre, type findingsOf, found } from "../support/world/outputs.ts";
import { WITH_WORKFLOW } from "../support/world/workflows.ts";
import { startWorld } from "../support/world/world.ts";

describe("the key", () => {
  test("that is missing is a finding like any other, and the rest is checked", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.hasIssues = false;
    const result = await world.run("doctor", { inputs: { "api-key": "", "project-id": "" } });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ verdict: "unwell" });
    expect(result.outputs).not.toHaveProperty("errorKind");
    expect(checksThatAre(result, "wrong")).toEqual(["api-key", "project-id", "issues"]);
    expect(found(result, "api-key")).toMatchObject([
      { what: expect.stringContaining("secret"), advice: expect.stringContaining("gh secret set") },
    ]);
    expect(found(result, "service-address")).toMatchObject([{ state: "fine" }]);
  });

  test.each([
    ["is wrong", { "api-key": "mint_other" }, ["read", "write"] as const],
    ["has expired", {}, null],
    ["may not read", {}, []],
  ])(
    "that %s is reported with the service's words and the key's page",
    async (_, inputs, scopes) => {
      await using world = await startWorld({ ...WITH_WORKFLOW, service: { scopes } });
      const result = await world.run("doctor", { inputs });
      expect(checksThatAre(result, "wrong")).toEqual(["api-key"]);
      expect(found(result, "api-key")).toMatchObject([
        {
          what: expect.stringMatching(/refuses the key: `The service returned 40/),
          advice: expect.stringContaining(
            "https://app.mintlify.com/settings/organization/api-keys",
          ),
        },
      ]);
      expect(found(result, "project-id")).toMatchObject([{ state: "unknown" }]);
    },
  );

  test("that may only read is accepted, and whether it may write stays unknown", async () => {
    await using world = await startWorld({ ...WITH_WORKFLOW, service: { scopes: ["read"] } });
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "api-key")).toMatchObject([{ state: "fine" }]);
    expect(found(result, "api-key-write-scope")).toMatchObject([{ state: "unknown" }]);
  });

  test.each([
    ["mint_dsc_x", "assistant key"],
    ["mint_us_x", "index key"],
  ])("of another kind is not sent: %s", async (key, kind) => {
    await using world = await startWorld(WITH_WORKFLOW);
    const result = await world.run("doctor", { inputs: { "api-key": key } });
    expect(found(result, "api-key")).toMatchObject([
      { state: "wrong", what: expect.stringContaining(kind) },
    ]);
    expect(JSON.stringify(world.received("service"))).not.toContain(key);
    expect(result.stdout.replace(`::add-mask::${key}`, "")).not.toContain(key);
  });
});

test("a project that the service does not know is wrong", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const result = await world.run("doctor", { inputs: { "project-id": "nobodys" } });
  expect(checksThatAre(result, "wrong")).toEqual(["project-id"]);
  expect(found(result, "api-key")).toMatchObject([{ state: "fine" }]);
});

describe("the service's address", () => {
  test.each([
    ["that is no https: URL", { "base-url": "http://docs.example" }, {}, /https: URL/],
    ["where nothing listens", { "base-url": "http://127.0.0.1:9" }, {}, /does not answer/],
    [
      "behind a proxy whose variable is invalid",
      { "base-url": "https://service.docs-agent.test" },
      { HTTPS_PROXY: "socks5://user:hidden@proxy" },
      /HTTPS_PROXY is not a valid proxy URL/,
    ],
  ])("%s is wrong", async (_, inputs, env, what) => {
    await using world = await startWorld(WITH_WORKFLOW);
    const result = await world.run("doctor", { inputs, env });
    expect(checksThatAre(result, "wrong")).toEqual(["service-address"]);
    expect(found(result, "service-address")).toMatchObject([
      { what: expect.stringMatching(what), advice: expect.stringMatching(/\S/) },
    ]);
    expect(result.stdout).not.toContain("hidden");
  });

  test.each([
    ["redirects", redirect(302, "https://elsewhere.example/")],
    ["is a page", text(200, "<html></html>")],
  ])("whose answer %s is wrong", async (_, answer) => {
    await using world = await startWorld(WITH_WORKFLOW);
    await using service = await startFaultyServer();
    service.on("GET /v1/agent/acme-docs/jobs", answer);
    const result = await world.run("doctor", { inputs: { "base-url": service.url } });
    expect(checksThatAre(result, "wrong")).toEqual(["service-address"]);
    expect(checksThatAre(result, "unknown")).toContain("api-key");
  });

  test("is not known by a page of 404, and neither are key and project", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    await using service = await startFaultyServer();
    service.on("GET /v1/agent/acme-docs/jobs", text(404, "<html>Not found</html>"));
    const { assistantKey: key, domain } = world.service;
    service.on(`POST /discovery/v1/assistant/${domain}/message`, text(404, "<html></html>"));
    const inputs = { "base-url": service.url, "assistant-api-key": key, domain };
    const result = await world.run("doctor", { inputs });
    const ofService = ["service-address", "api-key", "project-id", "assistant-api-key", "domain"];
    expect(ofService.map((check) => found(result, check)[0]?.state)).toEqual(
      ofService.map(() => "unknown"),
    );
  });

  test("is not known by a list that is larger than what is read", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    await using service = await startFaultyServer();
    const allSessions = [{ sessionId: "s_1", title: "x".repeat(9_000_000) }];
    service.on("GET /v1/agent/acme-docs/jobs", json(200, { allSessions }));
    const result = await world.run("doctor", { inputs: { "base-url": service.url } });
    expect(found(result, "service-address")).toMatchObject([{ state: "unknown" }]);
  });

  test("is not known while the service fails, and neither are key and project", async () => {
    await using world = await startWorld({
      ...WITH_WORKFLOW,
      service: { faults: [{ route: "jobs", status: 503, times: 9 }] },
    });
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(result.exitCode).toBe(0);
    expect(checksThatAre(result, "unknown")).toEqual(
      expect.arrayContaining(["service-address", "api-key", "project-id"]),
    );
  });
});

test("what the service says is shown as code, in which it can do nothing", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  await using service = await startFaultyServer();
  const error =
    "</details> @octocat fixes #1 <!-- docs-agent:x.y -->\n::set-output name=verdict::fine";
  service.on("GET /v1/agent/acme-docs/jobs", json(401, { error }));
  const result = await world.run("doctor", { inputs: { "base-url": service.url } });
  const line = result.summary.split("\n").find((text) => text.includes("@octocat")) ?? "";
  expect(line.replaceAll(/`[^`]*`/g, "")).not.toMatch(/octocat|details|set-output|docs-agent/);
  expect(result.summary).not.toContain("<!-- docs-agent");
  expect(result.outputs.verdict).toBe("unwell");
});

describe("the assistant", () => {
  const ofAssistant = (result: Parameters<typeof findingsOf>[0]) =>
    Object.fromEntries(
      ["assistant-api-key", "domain"].map((check) => [check, found(result, check)[0]?.state]),
    );

  test.each([
    ["as they should be", {}, { "assistant-api-key": "fine", domain: "unknown" }],
    [
      "a key that is not the assistant's",
      { "assistant-api-key": "mint_local_admin_key" },
      { "assistant-api-key": "wrong", domain: "unknown" },
    ],
    [
      "a key that is refused",
      { "assistant-api-key": "mint_dsc_other" },
      { "assistant-api-key": "wrong", domain: "unknown" },
    ],
    [
      "a domain that is not known",
      { domain: "nobody" },
      { "assistant-api-key": "fine", domain: "wrong" },
    ],
    ["no key", { "assistant-api-key": "" }, { "assistant-api-key": "wrong", domain: "unknown" }],
    ["no domain", { domain: "" }, { "assistant-api-key": "unknown", domain: "wrong" }],
  ])("key and domain are tried without a question: %s", async (_, inputs, expected) => {
    await using world = await startWorld(WITH_WORKFLOW);
    const { assistantKey, domain } = world.service;
    const result = await world.run("doctor", {
      inputs: { "assistant-api-key": assistantKey, domain, ...inputs },
    });
    expect(ofAssistant(result)).toEqual(expected);
  });

  test("is not checked if neither its key nor its domain is given", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const result = await world.run("doctor");
    expect(ofAssistant(result)).toEqual({ "assistant-api-key": undefined, domain: undefined });
  });
});
