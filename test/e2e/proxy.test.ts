import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAction } from "../../emulator/runner/runner.ts";
import { makeCertificate } from "../support/certificate.ts";
import { issueOpened } from "../support/events.ts";
import { startFakeGithub } from "../support/fake-github.ts";
import { json, startFaultyServer } from "../support/faulty-server.ts";
import { startProxy } from "../support/proxy.ts";
import { API_KEY, CREATE, completed, LOOK, record, setScene } from "../support/scene.ts";

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
async function behindProxy(stack: AsyncDisposableStack) {
  const service = stack.use(await startFaultyServer({ tls: certificates.service }));
  service.on(CREATE, json(201, record("active"))).on(LOOK, json(200, completed));
  const github = stack.use(await startFakeGithub("octo/docs", { tls: certificates.github }));
  const proxy = stack.use(
    await startProxy({
      hosts: {
        [`${SERVICE}:443`]: `127.0.0.1:${service.port}`,
        [`${GITHUB}:443`]: `127.0.0.1:${github.server.port}`,
      },
    }),
  );
  const run = (env: Record<string, string>, more: Record<string, string> = {}) =>
    runAction({
      ...issueOpened(7),
      apiUrl: `https://${GITHUB}`,
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

test.each(["HTTPS_PROXY", "https_proxy"])("%s is honoured for both services", async (name) => {
  await using stack = new AsyncDisposableStack();
  const { service, github, proxy, run } = await behindProxy(stack);
  const result = await run({ [name]: proxy.url });
  expect(result.warnings).toEqual([]);
  expect(result.exitCode).toBe(0);
  expect(service.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
  expect(github.comments(7)).toHaveLength(1);
  expect(new Set(proxy.targets)).toEqual(new Set([`${SERVICE}:443`, `${GITHUB}:443`]));
});

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

test.each([
  ["*", "127.0.0.1"],
  ["no_proxy", "127.0.0.1"],
])("NO_PROXY keeps a host out of the proxy (%s)", async (form, host) => {
  await using scene = await setScene();
  await using proxy = await startProxy();
  const noProxy = form === "no_proxy" ? { no_proxy: host } : { NO_PROXY: "*" };
  const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ...noProxy };
  const result = await scene.run({ env });
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([]);
  expect(proxy.targets).toEqual([]);
});

test("HTTP_PROXY is for http addresses", async () => {
  await using scene = await setScene();
  await using proxy = await startProxy();
  const result = await scene.run({ env: { HTTP_PROXY: proxy.url } });
  expect(result.exitCode).toBe(0);
  expect(proxy.targets.length).toBeGreaterThan(0);
});

test("a proxy that turns the action away: nothing was received, so it is tried five times more", async () => {
  await using stack = new AsyncDisposableStack();
  const { service, run } = await behindProxy(stack);
  await using closed = await startProxy({ handle: () => 502 });
  const result = await run({ HTTPS_PROXY: closed.url }, { comment: "false" });
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
  );
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(service.requests).toEqual([]);
});
