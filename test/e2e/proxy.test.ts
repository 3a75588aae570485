import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificate } from "../support/certificate.ts";
import { schedule } from "../support/events.ts";
import { byPhrase, newIssue } from "../support/phrase-events.ts";
import { type ProxyOptions, startProxy } from "../support/proxy.ts";
import { someOf } from "../support/sample.ts";
import { WITH_JOB } from "../support/world/jobs.ts";
import { startWorld, type WorldRun } from "../support/world/world.ts";

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

/** Starts a world with TLS, and a proxy that resolves the names of its hosts. */
async function behindProxy(stack: AsyncDisposableStack, handle?: ProxyOptions["handle"]) {
  const servers = { service: { tls: certificates.service }, github: { tls: certificates.github } };
  const world = stack.use(await startWorld({ ...WITH_JOB, servers }));
  const proxy = stack.use(
    await startProxy({
      ...(handle === undefined ? {} : { handle }),
      hosts: {
        [`${SERVICE}:443`]: `127.0.0.1:${world.servers.service.port}`,
        [`${GITHUB}:443`]: `127.0.0.1:${world.servers.github.port}`,
      },
    }),
  );
  const run = (env: Record<string, string>, over: WorldRun = {}) =>
    world.run("root", {
      ...over,
      apiUrl: `https://${GITHUB}`,
      env: { NODE_EXTRA_CA_CERTS: authorities, ...env },
      inputs: { "base-url": `https://${SERVICE}`, ...over.inputs },
    });
  return { world, proxy, run };
}

test.each(someOf(["HTTPS_PROXY", "https_proxy"]))(
  "%s is used for the service and for GitHub",
  async (name) => {
    await using stack = new AsyncDisposableStack();
    const { world, proxy, run } = await behindProxy(stack);
    const result = await run({ [name]: proxy.url });
    expect(result.warnings).toEqual([]);
    expect(result.exitCode).toBe(0);
    expect(world.received("service").map(({ method }) => method)).toEqual(["POST", "GET"]);
    expect(world.comments(7)).toHaveLength(1);
    expect(new Set(proxy.targets)).toEqual(new Set([`${SERVICE}:443`, `${GITHUB}:443`]));
  },
);

test("the user and password in the proxy's URL are sent to the proxy only, and not logged", async () => {
  await using stack = new AsyncDisposableStack();
  const { world, proxy, run } = await behindProxy(stack);
  const url = proxy.url.replace("//", "//robot:pr0xyPass@");
  const result = await run({ HTTPS_PROXY: url });
  expect(result.exitCode).toBe(0);
  const expected = `Basic ${Buffer.from("robot:pr0xyPass").toString("base64")}`;
  for (const authorization of proxy.authorizations) expect(authorization).toBe(expected);
  for (const { headers } of world.received("service"))
    expect(headers["proxy-authorization"]).toBeUndefined();
  expect(JSON.stringify(result)).not.toContain("pr0xyPass");
});

test("requests to this machine do not go through a proxy", async () => {
  await using world = await startWorld(WITH_JOB);
  await using proxy = await startProxy();
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"];
  const env = Object.fromEntries(names.map((name) => [name, proxy.url]));
  const result = await world.run("root", { env });
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([]);
  expect(proxy.targets).toEqual([]);
});

describe("a proxy that cannot be used", () => {
  const actions = ["root", "assistant", "collect", "upkeep", "queue"] as const;

  test.each(someOf(actions))(
    "fails with invalid-input before anything is sent: %s",
    async (action) => {
      await using world = await startWorld({ tasks: "- Document the proxy.\n" });
      const result = await world.run(action, {
        apiUrl: `https://${GITHUB}`,
        // The service is on this machine, so only GitHub needs the proxy.
        env: { HTTPS_PROXY: "socks5://robot:pr0xyPass@127.0.0.1:1080" },
      });
      expect(result.outputs.errorKind).toBe("invalid-input");
      expect(result.errors).toEqual([expect.stringMatching(/^HTTPS_PROXY /)]);
      expect(world.servers.service.connections).toBe(0);
    },
  );

  test("fails with invalid-input before a permission is read, but only if there is a request", async () => {
    await using stack = new AsyncDisposableStack();
    const { run } = await behindProxy(stack);
    const requested = await run({ HTTPS_PROXY: "socks5://a" }, byPhrase(newIssue("/docs now")));
    expect(requested.outputs.errorKind).toBe("invalid-input");
    const notRequested = await run({ HTTPS_PROXY: "socks5://a" }, byPhrase(newIssue("Hello")));
    expect(notRequested.exitCode).toBe(0);
    expect(notRequested.outputs.status).toBe("skipped");
  });
});

test("with an untrusted certificate, nothing is sent, and the step fails with service-unavailable", async () => {
  await using stack = new AsyncDisposableStack();
  const { world, proxy, run } = await behindProxy(stack);
  const result = await run(
    { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: "" },
    { ...schedule, inputs: { comment: "false" } },
  );
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(world.received("service")).toEqual([]);
});
