import { expect, test } from "vitest";
import { readSessionFrom, sessionIn } from "./named-session.ts";

test.each(['{"sessionId":"s1"}', ' {"sessionId":"s1","haulted":false,"more":[1]}\n'])(
  "%j names a session",
  (text) => {
    expect(sessionIn(text)?.sessionId).toBe("s1");
  },
);

test.each([
  ...["", "At work", "null", "7", '"s1"', '["s1"]', "{}", '{"sessionId":"s1"'],
  ...['{"sessionId":7}', '{"sessionId":""}', '{"sessionId":".."}', '{"haulted":false}'],
  '{"id":"s1"}',
])("%j names none", (text) => {
  expect(sessionIn(text)).toBeUndefined();
});

async function* texts(...pieces: (string | Error)[]) {
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}

const read = (...pieces: (string | Error)[]) => readSessionFrom(texts(...pieces));

test("JSON that arrives in pieces is read when it is whole", async () => {
  const pieces = ['\uFEFF{\n "sess', 'ionId": "s1",\n "branch": "docs/a"', "\n}"];
  expect(await read(...pieces)).toMatchObject({ sessionId: "s1", branch: "docs/a" });
});

test("JSON that breaks off, or has no end, names none", async () => {
  expect(await read('{"sessionId":"s1"', new Error("reset"))).toBeUndefined();
  const large = "x".repeat(64 * 1024);
  expect(await read('{"sessionId":"s1","a":"', ...Array(17).fill(large), '"}')).toBeUndefined();
});
