import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { hostsBesideOrigins, hostsOf, recordingHosts } from "./origins.ts";

const ENV = {
  "INPUT_BASE-URL": "https://service.test",
  "INPUT_GITHUB-API-URL": "http://127.0.0.1:81",
  HTTPS_PROXY: "http://[::1]:3128",
};

test("an action may connect to the hosts of its inputs and its proxy, and land to that of logs", () => {
  const hosts = { service: "service.test:443", github: "127.0.0.1:81", proxy: "::1:3128" };
  expect(hostsOf({ action: "gate", env: ENV })).toEqual(hosts);
  expect(hostsOf({ action: "land", env: ENV })).toEqual({ ...hosts, logs: "localhost:81" });
});

test("what is connected to by a bundle alone, however late, is recorded and compared", async () => {
  const hosts = new Set<string>();
  const connect = (host: string, port: number) =>
    net
      .connect({ host, port })
      .on("error", () => {})
      .destroy();
  await recordingHosts(hosts, async () => {
    await delay(1);
    connect("127.0.0.1", 81);
    connect("elsewhere.invalid", 443);
  });
  connect("127.0.0.1", 82);
  expect([...hosts]).toEqual(["127.0.0.1:81", "elsewhere.invalid:443"]);
  expect(hostsBesideOrigins(hosts, { action: "gate", env: ENV })).toEqual([
    "elsewhere.invalid:443",
  ]);
});
