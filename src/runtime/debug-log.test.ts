import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText, hostileText } from "../../test/support/arbitrary.ts";
import { ExchangeError } from "../net/http.ts";
import { Secrets } from "../text/secrets.ts";
import { requestLine, runLine } from "./debug-log.ts";

const KEY = "mint_k3yOfTheTest_5f2c9d";
const NONE = new Secrets([]);
const GET = { method: "GET", url: new URL("https://api.github.com/repos/octo/docs") } as const;

/** An answer with a request ID, or without one. */
const answerOf = (id?: string, status = 200) => ({
  status,
  headers: id === undefined ? {} : { "x-request-id": id },
});

const lineOf = (address: string) =>
  requestLine({ method: "GET", url: new URL(address) }, answerOf("A:1"), 1, NONE);

describe("an answer is told", () => {
  test("by method, address, status, duration and request ID", () => {
    const line = requestLine(GET, answerOf("C0DE:12.a", 404), 12.6, NONE);
    expect(line).toBe(
      "GET https://api.github.com/repos/octo/docs: 404 after 13 ms, request ID C0DE:12.a",
    );
  });

  test("without a request ID when the answer names none", () => {
    expect(requestLine(GET, answerOf(), 1, NONE)).toMatch(/ 200 after 1 ms, no request ID$/);
  });

  test("without the query", () => {
    expect(lineOf("https://h/p?labels=docs&page=2&token=s3cret")).toContain("GET https://h/p: 200");
  });

  test("without the user and the password of an address", () => {
    expect(lineOf("https://user:s3cret@h:8443/p#s3cret")).toContain("GET https://h:8443/p: 200");
  });
});

describe("a failure is told", () => {
  test.each([
    ["connect", "network", "not sent after 5 ms (network: lost (ECONNRESET))"],
    ["sent", "time-limit", "sent, no response after 5 ms (time-limit: lost (ECONNRESET))"],
    ["answer", "size-limit", "response interrupted after 5 ms (size-limit: lost (ECONNRESET))"],
  ] as const)("by how far it came: %s", (stage, reason, expected) => {
    const error = new ExchangeError(stage, reason, "lost\n(ECONNRESET)");
    expect(requestLine(GET, error, 5, NONE)).toBe(
      `GET https://api.github.com/repos/octo/docs: ${expected}`,
    );
  });
});

test("GitHub's own request ID goes before another", () => {
  const headers = { "x-request-id": "1", "x-github-request-id": "2", "x-session-id": "3" };
  expect(requestLine(GET, { status: 200, headers }, 1, NONE)).toMatch(/ request ID 2$/);
});

test("no line holds a secret, or is more than a line, whatever the other side says", () => {
  const secrets = new Secrets([KEY]);
  const place = fc.tuple(hostileText(), anyText(600), hostileText());
  fc.assert(
    fc.property(place, fc.constantFrom("path", "query", "id", "reason"), (texts, where) => {
      const [before, filler, after] = texts;
      const text = `${before}${filler}${KEY}${after}`;
      const url = new URL("https://h/");
      if (where === "path") url.pathname = text;
      if (where === "query") url.search = text;
      const error = new ExchangeError("sent", "network", where === "reason" ? text : "lost");
      for (const progress of [error, answerOf(where === "id" ? text : undefined)]) {
        const line = requestLine({ method: "GET", url }, progress, 1, secrets);
        expect(decodeURIComponent(line.replace(/%(?![0-7][0-9a-f])/gi, ""))).not.toContain(
          KEY.slice(0, 10),
        );
        expect(line).not.toMatch(/[\n\r]/);
        expect(line.length).toBeLessThan(1200);
      }
    }),
  );
});

const BUILD = {
  version: "1.2.3",
  ...{ entry: "main", title: "Docs agent" },
  inputs: { wait: "true", "api-key": "", prompt: "", "github-token": "\u0024{{ github.token }}" },
};
const ENV = {
  RUNNER_OS: "Linux",
  RUNNER_ARCH: "ARM64",
  RUNNER_ENVIRONMENT: "self-hosted",
  RUNNER_NAME: "build 7",
  GITHUB_EVENT_NAME: "schedule",
};

test("version, Node, runner and event are told", () => {
  expect(runLine(BUILD, ENV, "v24.1.0", NONE)).toBe(
    "Docs Agent Action 1.2.3, main; Node v24.1.0; runner Linux ARM64 self-hosted build 7; event schedule; inputs set: none",
  );
});

test("so is the ref by which a workflow names the action", () => {
  const line = runLine(BUILD, { ...ENV, GITHUB_ACTION_REF: "v1" }, "v24.1.0", NONE);
  expect(line).toContain("1.2.3 (ref v1), main;");
});

test("what the environment does not say is unknown", () => {
  expect(runLine(BUILD, {}, "v24.1.0", NONE)).toContain(
    "runner unknown unknown unknown unknown; event unknown;",
  );
});

test("an input is set if it is declared, is not empty, and does not have its default", () => {
  const env = {
    ...ENV,
    INPUT_WAIT: "true",
    "INPUT_API-KEY": "s3cret",
    INPUT_PROMPT: "",
    "INPUT_GITHUB-TOKEN": "ghs_x",
    INPUT_UNDECLARED: "x",
  };
  expect(runLine(BUILD, env, "v24", NONE)).toMatch(/inputs set: api-key, github-token$/);
  expect(runLine(BUILD, { ...env, INPUT_WAIT: "false" }, "v24", NONE)).toMatch(
    /inputs set: api-key, github-token, wait$/,
  );
});

test("no value of an input is told, and nothing else breaks the line", () => {
  const secrets = new Secrets(["mint_k3yOfTheTest"]);
  fc.assert(
    fc.property(hostileText(), hostileText(), (value, name) => {
      const env = {
        ...ENV,
        "INPUT_API-KEY": "mint_k3yOfTheTest",
        INPUT_PROMPT: `canary ${value}`,
        RUNNER_NAME: `${name}mint_k3yOfTheTest${name}`,
      };
      const line = runLine(BUILD, env, "v24", secrets);
      expect(line).not.toContain("canary");
      expect(line).not.toContain("mint_k3yOf");
      expect(line).not.toMatch(/[\n\r]/);
      expect(line.length).toBeLessThan(400);
    }),
  );
});
