import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, resetAfterRequest } from "../support/answers.ts";
import { makeCertificate } from "../support/certificate.ts";
import { issueOpened, schedule, type Trigger } from "../support/events.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { startGitHub } from "../support/github.ts";
import { newIssue } from "../support/phrase-events.ts";
import { type ProxyOptions, startProxy } from "../support/proxy.ts";
import { runAction } from "../support/run-action.ts";
import { someOf } from "../support/sample.ts";
import {
  API_KEY,
  CREATE,
  completed,
  POLL,
  record,
  startScenario,
  TOKEN,
} from "../support/scenario.ts";

/** Names that only the proxy can resolve: what is answered has come through it. */
const SERVICE = "service.docs-agent.test";
const GITHUB = "github.docs-agent.test";

const certificates = { service: makeCertificate(SERVICE), github: makeCertificate(GITHUB) };
let folder: string;
let authorities: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-certificates-"));
  authorities = path.join(folder, "authorities.pem");
  writeFileSync(authorities, certificates.service.cert + certificates.github.cert);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Service and GitHub behind TLS under names of their own, and a proxy that leads to both. */
async function behindProxy(stack: AsyncDisposableStack, handle?: ProxyOptions["handle"]) {
  const service = stack.use(await startFaultyServer({ tls: certificates.service }));
  service.on(CREATE, json(201, record("active"))).on(POLL, json(200, completed));
  const github = stack.use(await startGitHub("octo/docs", { tls: certificates.github }));
  const proxy = stack.use(
    await startProxy({
      ...(handle === undefined ? {} : { handle }),
      hosts: {
        [`${SERVICE}:443`]: `127.0.0.1:${service.port}`,
        [`${GITHUB}:443`]: `127.0.0.1:${github.server.port}`,
      },
    }),
  );
  const run = (
    env: Record<string, string>,
    more: Record<string, string> = {},
    trigger: Trigger = issueOpened(7),
  ) =>
    runAction({
      ...trigger,
      apiUrl: `https://${GITHUB}`,
      token: TOKEN,
      env: { NODE_EXTRA_CA_CERTS: authorities, ...env },
      inputs: {
        "api-key": API_KEY,
        "project-id": "docs",
        prompt: "Document the proxy.",
        "base-url": `https://${SERVICE}`,
        "poll-interval-seconds": "0.01",
        "poll-max-interval-seconds": "0.01",
        ...more,
      },
    });
  return { service, github, proxy, run };
}

test.each(someOf(["HTTPS_PROXY", "https_proxy"]))(
  "%s is honoured for both services",
  async (name) => {
    await using stack = new AsyncDisposableStack();
    const { service, github, proxy, run } = await behindProxy(stack);
    const result = await run({ [name]: proxy.url });
    expect(result.warnings).toEqual([]);
    expect(result.exitCode).toBe(0);
    expect(service.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
    expect(await github.comments(7)).toHaveLength(1);
    expect(new Set(proxy.targets)).toEqual(new Set([`${SERVICE}:443`, `${GITHUB}:443`]));
  },
);

test("user and password of the proxy are sent to it and shown to nobody", async () => {
  await using stack = new AsyncDisposableStack();
  const { service, proxy, run } = await behindProxy(stack);
  const url = proxy.url.replace("//", "//robot:pr0xyPass@");
  const result = await run({ HTTPS_PROXY: url });
  expect(result.exitCode).toBe(0);
  const expected = `Basic ${Buffer.from("robot:pr0xyPass").toString("base64")}`;
  for (const authorization of proxy.authorizations) expect(authorization).toBe(expected);
  for (const { headers } of service.requests)
    expect(headers["proxy-authorization"]).toBeUndefined();
  expect(JSON.stringify(result)).not.toContain("pr0xyPass");
});

test.each(someOf(["NO_PROXY", "no_proxy"]))("%s keeps a host out of the proxy", async (name) => {
  await using stack = new AsyncDisposableStack();
  const { github, proxy, run } = await behindProxy(stack);
  // Nobody but the proxy knows this name: without it there is no connection.
  const result = await run({ HTTPS_PROXY: proxy.url, [name]: `none.test, ${SERVICE}` });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(await github.comments(7)).toHaveLength(1);
  expect(new Set(proxy.targets)).toEqual(new Set([`${GITHUB}:443`]));
});

test("this machine itself is never behind a proxy, so the key does not go there in clear text", async () => {
  await using scenario = await startScenario();
  await using proxy = await startProxy();
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"];
  const env = Object.fromEntries(names.map((name) => [name, proxy.url]));
  const result = await scenario.run({ env });
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([]);
  expect(proxy.targets).toEqual([]);
});

test("a proxy without a scheme is one for http:, as with curl", async () => {
  await using stack = new AsyncDisposableStack();
  const { service, proxy, run } = await behindProxy(stack);
  const result = await run({ HTTPS_PROXY: proxy.url.replace("http://", "") });
  expect(result.exitCode).toBe(0);
  expect(service.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
});

describe("a proxy that cannot be used", () => {
  const UNUSABLE = [
    ["https_proxy", "socks5://robot:pr0xyPass@127.0.0.1:1080"],
    ["HTTPS_PROXY", "http://robot:pr0xyPass%@127.0.0.1:3128"],
    ["HTTPS_PROXY", "http://robot:pr0xy/Pass@127.0.0.1:3128"],
  ] as const;

  test.each(someOf(UNUSABLE))("%s=%s is a wrong input, and is not shown", async (name, value) => {
    await using stack = new AsyncDisposableStack();
    const { service, github, run } = await behindProxy(stack);
    const result = await run({ [name]: value });
    expect(result.exitCode).toBe(1);
    expect(result.outputs.errorKind).toBe("invalid-input");
    expect(result.outputs.errorMessage).toMatch(new RegExp(`^${name} `));
    expect(JSON.stringify(result)).not.toContain("pr0xy");
    expect(service.connections + github.server.connections).toBe(0);
  });

  const actions = [".", "assistant", "collect", "upkeep", "queue"];

  test.each(someOf(actions))("is found before anything is sent: %s", async (action) => {
    await using service = await startFaultyServer();
    const isAssistant = action === "assistant";
    const result = await runAction({
      ...issueOpened(7),
      ...{ action, apiUrl: `https://${GITHUB}`, token: TOKEN },
      // Of no use to the service, which is on this machine.
      env: { HTTPS_PROXY: "socks5://robot:pr0xyPass@127.0.0.1:1080" },
      inputs: {
        ...{ "api-key": API_KEY, "base-url": service.url },
        ...(isAssistant ? { domain: "docs", question: "Why?" } : { "project-id": "docs" }),
        ...(action === "." ? { prompt: "Document the proxy." } : {}),
        ...(action === "queue" ? { "tasks-file": "tasks.yml" } : {}),
      },
      workspaceFiles: { "tasks.yml": "- Document the proxy.\n" },
    });
    expect(result.outputs.errorKind).toBe("invalid-input");
    expect(result.errors).toEqual([expect.stringMatching(/^HTTPS_PROXY /)]);
    expect(service.connections).toBe(0);
  });

  test("is told before a permission is asked for", async () => {
    await using stack = new AsyncDisposableStack();
    const { run } = await behindProxy(stack);
    const phrase = { "trigger-phrase": "/docs" };
    const asked = await run({ HTTPS_PROXY: "socks5://a" }, phrase, newIssue("/docs now"));
    expect(asked.outputs.errorKind).toBe("invalid-input");
    const notAsked = await run({ HTTPS_PROXY: "socks5://a" }, phrase, newIssue("Hello"));
    expect(notAsked.exitCode).toBe(0);
    expect(notAsked.outputs.status).toBe("skipped");
  });
});

test("a proxy that requires credentials says so, and nothing was received", async () => {
  await using stack = new AsyncDisposableStack();
  const { service, run } = await behindProxy(stack);
  await using closed = await startProxy({ handle: () => 407 });
  const result = await run({ HTTPS_PROXY: closed.url }, { comment: "false" }, schedule);
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(result.outputs.errorMessage).toContain(
    "through the proxy in HTTPS_PROXY (the proxy returned 407: it requires credentials",
  );
  expect(service.connections).toBe(0);
});

test("a tunnel that is dropped before the request goes out: it is sent again", async () => {
  await using stack = new AsyncDisposableStack();
  const { service, proxy, run } = await behindProxy(stack, (nth) => (nth < 2 ? "drop" : "open"));
  const result = await run({ HTTPS_PROXY: proxy.url }, { comment: "false" }, schedule);
  expect(result.exitCode).toBe(0);
  expect(proxy.targets.length).toBeGreaterThan(2);
  expect(service.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
});

test("a tunnel that is lost after the request went out: it is not sent again", async () => {
  await using stack = new AsyncDisposableStack();
  const { service, proxy, run } = await behindProxy(stack);
  service.on(CREATE, resetAfterRequest);
  const result = await run({ HTTPS_PROXY: proxy.url }, { comment: "false" }, schedule);
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("create-uncertain");
  expect(service.requests.map(({ method }) => method)).toEqual(["POST"]);
});

test("a proxy that turns the action away: nothing was received, so it is tried five times more", async () => {
  await using stack = new AsyncDisposableStack();
  const { service, run } = await behindProxy(stack);
  await using closed = await startProxy({ handle: () => 502 });
  const result = await run({ HTTPS_PROXY: closed.url }, { comment: "false" }, schedule);
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(service.connections).toBe(0);
  expect(closed.targets.filter((target) => target === `${SERVICE}:443`)).toHaveLength(6);
});

test("a certificate that nobody vouches for is no connection, and no reason to send the key", async () => {
  await using stack = new AsyncDisposableStack();
  const { service, proxy, run } = await behindProxy(stack);
  const result = await run(
    { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: "" },
    { comment: "false" },
    schedule,
  );
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(service.requests).toEqual([]);
});
