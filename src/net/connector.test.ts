import { expect, test } from "vitest";
import { Connector } from "./connector.ts";

const ORIGIN = "https://service.test";

function connector() {
  const { signal } = new AbortController();
  return new Connector({ proxyFor: () => null, limit: 1_000, signal });
}

test.each(["ECONNREFUSED", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_ABORTED"])(
  "an error that only looks like a connection that was not made proves nothing (%s)",
  (code) => {
    const watch = connector().watch(ORIGIN);
    expect(watch.provesNoConnection(Object.assign(new Error(code), { code }))).toBe(false);
  },
);

test("a request for which undici never asked for a connection may have been received", () => {
  expect(connector().watch(ORIGIN).provesNoConnection(new Error("stopped"))).toBe(false);
});
