import { expect, test } from "vitest";
import { asExchangeError, type Break, ExchangeError, type Stage } from "./exchange-error.ts";
import type { TimeLimit } from "./time-limit.ts";

/** What was thrown under a limit that has come to this. */
function brokenBy(
  thrown: unknown,
  stage: Stage,
  limit: Partial<TimeLimit> = {},
  more: Partial<Break> = {},
) {
  const known = { stopped: false, expired: undefined, milliseconds: 30_000, ...limit };
  return asExchangeError(thrown, {
    ...{ stage, limit: known as TimeLimit, host: "api.example:443" },
    ...more,
  });
}

const coded = (code: string) => Object.assign(new Error(`read ${code}`), { code });

test.each<[Stage, string]>([
  ["connect", "no connection to api.example:443 could be made (ECONNRESET)"],
  ["sent", "the connection to api.example:443 was lost before an answer came (ECONNRESET)"],
  ["answer", "the connection to api.example:443 was lost in the middle of the answer (ECONNRESET)"],
])("the network, at the stage %s", (stage, message) => {
  const cause = coded("ECONNRESET");
  expect(brokenBy(cause, stage)).toMatchObject({ stage, reason: "network", message, cause });
});

test.each<[Stage, Partial<TimeLimit>, string, string]>([
  ["connect", { expired: "time-limit" }, "time-limit", "could be made within 30 s"],
  ["sent", { expired: "time-limit" }, "time-limit", "did not give an answer within 30 s"],
  [
    "answer",
    { expired: "time-limit", milliseconds: 1_250 },
    "time-limit",
    "did not give the whole answer within 1.3 s",
  ],
  ["answer", { expired: "idle-limit" }, "idle-limit", "in the middle of the answer, for 30 s"],
])(
  "a limit that ran out, at the stage %s, is told instead of what it caused",
  (stage, limit, reason, message) => {
    const error = brokenBy(new Error("time limit"), stage, limit);
    expect(error).toMatchObject({ stage, reason });
    expect(error.message).toContain(message);
  },
);

test("what the run itself stopped is neither a limit nor the network", () => {
  const error = brokenBy(coded("UND_ERR_ABORTED"), "sent", {
    stopped: true,
    expired: "time-limit",
  });
  expect(error).toMatchObject({ reason: "stopped", message: "stopped by the run" });
});

test("a proxy is named where it may be the reason", () => {
  const proxy = { proxyVariable: "HTTPS_PROXY" };
  const network = brokenBy(coded("ECONNREFUSED"), "connect", {}, proxy);
  expect(network.message).toContain(
    "could be made through the proxy in HTTPS_PROXY (ECONNREFUSED)",
  );
  const late = brokenBy(coded("x"), "connect", { expired: "time-limit" }, proxy);
  expect(late.message).toContain("through the proxy in HTTPS_PROXY within 30 s");
  expect(brokenBy(coded("x"), "sent", {}, proxy).message).not.toContain("proxy");
});

test.each([
  ["the first of several", new AggregateError([coded("ECONNREFUSED"), coded("x")]), "ECONNREFUSED"],
  ["the cause", new Error("other side", { cause: coded("EPIPE") }), "EPIPE"],
  [
    "the cause of undici's own error",
    Object.assign(new Error("other", { cause: coded("EPIPE") }), { code: "UND_ERR_INFO" }),
    "EPIPE",
  ],
  ["the message", new Error("other side closed"), "other side closed"],
  ["nothing", "a text", "unknown reason"],
])("the reason is %s", (_, thrown, reason) => {
  expect(brokenBy(thrown, "sent").message).toMatch(new RegExp(`\\(${reason}\\)$`));
});

test("what is an exchange that broke off already stays as it is", () => {
  const error = new ExchangeError("answer", "size-limit", "too large");
  expect(brokenBy(error, "connect", { stopped: true })).toBe(error);
});
