import fc from "fast-check";
import { expect, test } from "vitest";
import { text } from "../../test/support/answers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { runs } from "../../test/support/sample.ts";
import { StubServer } from "../../test/support/stub-server.ts";
import { Http } from "../net/http.ts";
import { Secrets } from "../text/secrets.ts";
import { ServiceError } from "./errors.ts";
import { Transport } from "./transport.ts";

const service = new StubServer();

function transportWith(apiKey: string, others: readonly string[] = []): Transport {
  const { http } = service;
  const baseUrl = new URL(service.url);
  const dependencies = dependenciesOf({ http, secrets: new Secrets(others) });
  return new Transport({ baseUrl, apiKey }, dependencies);
}

/** All that a caller gets of an answer, whichever way. */
async function resultOf(asking: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await asking);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message, failure, retryAfter, apart } = error;
    return JSON.stringify({ message, failure, retryAfter, apart });
  }
}

/** Letters that no key holds, so that what is found of a key has come from it. */
const filler = fc.nat({ max: 600 }).map((length) => "ä".repeat(length));
const sign = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const key = fc.array(sign, { minLength: 12, maxLength: 40 }).map((signs) => signs.join(""));

const hex = (it: string) => it.charCodeAt(0).toString(16);
const WAYS: Record<string, (key: string) => string> = {
  "as it is": (it) => it,
  "as in an address": (it) => [...it].map((sign) => `%${hex(sign)}`).join(""),
  "cut by whoever repeats it": (it) => it.slice(0, 11),
};
const way = fc.constantFrom(...Object.keys(WAYS));

/** Whether ten signs of a key in a row can be read in JSON, also by whoever reads addresses. */
function isLeaked(secret: string, shown: string): boolean {
  const decoded = shown.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
    JSON.stringify(String.fromCharCode(Number.parseInt(code, 16))).slice(1, -1),
  );
  // The host of an address is in lower case.
  const readable = (shown + decoded).toLowerCase();
  return Array.from({ length: secret.length - 9 }, (_, at) => secret.slice(at, at + 10)).some(
    (piece) => readable.includes(JSON.stringify(piece).slice(1, -1).toLowerCase()),
  );
}

const JSON_TYPE = { "content-type": "application/json" };

test("an answer of the client's is left as it is", async () => {
  const answer = { status: 200, headers: { "x-key": "S3cr3t" }, body: ReadableStream.from([]) };
  class Frozen extends Http {
    override open = async () => Object.freeze(answer);
  }
  const dependencies = dependenciesOf({ http: new Frozen({}) });
  const access = { baseUrl: new URL("http://127.0.0.1"), apiKey: "S3cr3t" };
  const { headers } = await new Transport(access, dependencies).stream([], {});
  expect(headers["x-key"]).not.toContain("S3cr3t");
  expect(answer.headers["x-key"]).toBe("S3cr3t");
});

test("a key that an answer's JSON repeats is taken out in every place", async () => {
  const place = fc.constantFrom("error", "message", "status", "id", "other");
  const status = fc.constantFrom(200, 201, 400, 401, 404, 429, 500, 503);
  await fc.assert(
    fc.asyncProperty(
      ...([key, way, place, status, filler, fc.nat({ max: 4 })] as const),
      async (secret, how, name, code, before, depth) => {
        const written = `${before}${WAYS[how]?.(secret)}ö`;
        let value: unknown = { [name]: written, [`x${written}`]: [written] };
        for (let level = 0; level < depth; level++) value = [{ inner: value }];
        service.on("GET /any", text(code, JSON.stringify(value), JSON_TYPE));
        const shown = await resultOf(transportWith(secret).json(["any"], null));
        expect(isLeaked(secret, shown)).toBe(false);
      },
    ),
    { numRuns: runs(200) },
  );
});

test("a key that headers or a body without JSON repeat is taken out in every place", async () => {
  const place = fc.constantFrom("content-type", "location", "retry-after", "x-session-id", "body");
  const status = fc.constantFrom(200, 302, 307, 400, 500, 503);
  const around = fc.constantFrom(["", ""], ["text/", ""], ["https://", "/"], ["https://x/?k=", ""]);
  await fc.assert(
    fc.asyncProperty(
      ...([key, way, place, status, around] as const),
      async (secret, how, name, code, [before, after]) => {
        const written = `${before}${WAYS[how]?.(secret)}${after}`;
        const headers = name === "body" ? {} : { [name]: written };
        const answer = text(code, name === "body" ? written : "?", headers);
        service.on("GET /any", answer).on("POST /any", answer);
        const transport = transportWith(secret);
        const asked = await resultOf(transport.json(["any"], null));
        const streaming = await resultOf(transport.stream(["any"], {}));
        expect(isLeaked(secret, asked + streaming)).toBe(false);
      },
    ),
    { numRuns: runs(200) },
  );
});
