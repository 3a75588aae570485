import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json } from "../support/answers.ts";
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

/** Host names that only the proxy can resolve, so that every answer proves that the request went through it. */
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

/** Starts a service and a GitHub with TLS, and a proxy that resolves their names. */
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
  "%s is used for the service and for GitHub",
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

test("the user and password in the proxy's URL are sent to the proxy only, and not logged", async () => {
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

test("requests to this machine do not go through a proxy", async () => {
  await using scenario = await startScenario();
  await using proxy = await startProxy();
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"];
  const env = Object.fromEntries(names.map((name) => [name, proxy.url]));
  const result = await scenario.run({ env });
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([]);
  expect(proxy.targets).toEqual([]);
});

describe("a proxy that cannot be used", () => {
  const actions = [".", "assistant", "collect", "upkeep", "queue"];

  test.each(someOf(actions))(
    "fails with invalid-input before anything is sent: %s",
    async (action) => {
      await using service = await startFaultyServer();
      const isAssistant = action === "assistant";
      const result = await runAction({
        ...issueOpened(7),
        action,
        apiUrl: `https://${GITHUB}`,
        token: TOKEN,
        // The service is on this machine, so only GitHub needs the proxy.
        env: { HTTPS_PROXY: "socks5://robot:pr0xyPass@127.0.0.1:1080" },
        inputs: {
          "api-key": API_KEY,
          "base-url": service.url,
          ...(isAssistant ? { domain: "docs", question: "Why?" } : { "project-id": "docs" }),
          ...(action === "." ? { prompt: "Document the proxy." } : {}),
          ...(action === "queue" ? { "tasks-file": "tasks.yml" } : {}),
        },
        workspaceFiles: { "tasks.yml": "- Document the proxy.\n" },
      });
      expect(result.outputs.errorKind).toBe("invalid-input");
      expect(result.errors).toEqual([expect.stringMatching(/^HTTPS_PROXY /)]);
      expect(service.connections).toBe(0);
    },
  );

  test("fails with invalid-input before a permission is read, but only if there is a request", async () => {
    await using stack = new AsyncDisposableStack();
    const { run } = await behindProxy(stack);
    const phrase = { "trigger-phrase": "/docs" };
    const requested = await run({ HTTPS_PROXY: "socks5://a" }, phrase, newIssue("/docs now"));
    expect(requested.outputs.errorKind).toBe("invalid-input");
    const notRequested = await run({ HTTPS_PROXY: "socks5://a" }, phrase, newIssue("Hello"));
    expect(notRequested.exitCode).toBe(0);
    expect(notRequested.outputs.status).toBe("skipped");
  });
});

test("with an untrusted certificate, nothing is sent, and the step fails with service-unavailable", async () => {
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
