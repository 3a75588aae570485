import net from "node:net";
import { expect, test, vi } from "vitest";
import { proxyConnector } from "./connections.ts";

test("each address of a host has five seconds", () => {
  const connect = vi.spyOn(net, "connect").mockImplementation(() => new net.Socket());
  const server = { protocol: "http:", host: "x.test", hostname: "x.test", port: "80" };
  proxyConnector(() => null)(server, () => {});
  expect(connect.mock.lastCall?.[0]).toMatchObject({
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 5_000,
  });
});
