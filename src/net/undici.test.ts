import * as undici from "undici";
import { expect, test } from "vitest";
import { Agent, buildConnector, request } from "./undici.ts";

test("the parts of undici that are loaded by themselves are what its entry module exports", () => {
  expect(Agent).toBe(undici.Agent);
  expect(buildConnector).toBe(undici.buildConnector);
  expect(request).toBe(undici.Agent.prototype.request);
});
