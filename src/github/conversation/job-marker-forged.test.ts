import { createHmac, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText, hostileText } from "../../../test/support/arbitrary.ts";
import { runs, sampleOf } from "../../../test/support/sample.ts";
import {
  anyMemory,
  COMMENT,
  encoded,
  fields,
  KEY,
  MEMORY,
  marker,
  markers,
  PLACE,
  partsOf,
  signed,
} from "../../../test/support/signed-marker.ts";
import { expectNoSquare } from "../../../test/support/work-of.ts";

const OTHER = markers.write(PLACE, { ...MEMORY, job: "job_2" }, COMMENT);
const { payload, signature } = partsOf(marker);

test.each<[string, string]>([
  ["nothing", ""],
  ["the beginning of a marker", "<!-- docs-agent:"],
  ["a marker without a signature", `<!-- docs-agent:${payload}. -->`],
  ["a marker without a payload", `<!-- docs-agent:.${signature} -->`],
  ["a marker without both", "<!-- docs-agent:. -->"],
  [
    "a payload under the signature of another",
    `<!-- docs-agent:${partsOf(OTHER).payload}.${signature} -->`,
  ],
  ["the payload in plain words", `<!-- docs-agent:${JSON.stringify(fields)}.${signature} -->`],
  ["another name", marker.replace("docs-agent", "docs-agents")],
  ["a name in capitals", marker.replace("docs-agent", "DOCS-AGENT")],
  ["a marker without spaces", `<!--docs-agent:${payload}.${signature}-->`],
  ["a marker before text", `${marker}\nfrom a mail`],
  ["a quoted marker before its answer", `> ${marker}\n\n/docs go on`],
  ["a marker with a full stop", `${marker}.`],
  ["a marker with a zero-width space", `${marker}\u200B`],
  ["a marker in code", `\`\`\`\n${marker}\n\`\`\``],
  ["a marker before a forged one", `${marker}\n<!-- docs-agent:x.y -->`],
  [
    "a marker before one of another issue",
    `${marker}\n${markers.write({ ...PLACE, issue: 8 }, MEMORY, COMMENT)}`,
  ],
])("%s is no marker", (_, body) => {
  expect(markers.read(body, PLACE, COMMENT)).toBeNull();
});

test("of two markers it is the last that counts", () => {
  expect(markers.read(`${marker}\n${OTHER}`, PLACE, COMMENT)?.job).toBe("job_2");
  expect(markers.read(`<!-- docs-agent:x.y -->\n${marker}`, PLACE, COMMENT)?.job).toBe("job_1");
});

/** What the key signed, and yet no memory: the format of another version, or of nothing. */
test.each<[string, unknown]>([
  ["not JSON", "job_1"],
  ["broken JSON", '{"v":1'],
  ["not an object", [fields]],
  ["null", null],
  ["a number", 7],
  ["of another version", { ...fields, v: 1 }],
  ["without a version", { ...fields, v: undefined }],
  ["without a job", { ...fields, job: undefined }],
  ["with a job that is no text", { ...fields, job: 1 }],
  ["with an issue that is text", { ...fields, issue: "7" }],
  ["of a request in a state of its own", { ...fields, request: "lost" }],
  ["without a comment", { ...fields, comment: undefined }],
  ["of another comment", { ...fields, comment: COMMENT + 1 }],
  ["without a run", { ...fields, run: undefined }],
  ["without a step", { ...fields, step: undefined }],
])("a signed payload that is %s is no memory", (_, value) => {
  expect(markers.read(signed(encoded(value)), PLACE, COMMENT)).toBeNull();
});

test("fields that this version does not know are no reason to forget", () => {
  expect(markers.read(signed(encoded({ ...fields, more: true })), PLACE, COMMENT)).toMatchObject(
    MEMORY,
  );
});

test("a signature made for anything else under the same key does not count", () => {
  const secret = Buffer.from(
    hkdfSync("sha256", KEY, "docs", "docs-agent-action comment marker v1", 32),
  );
  for (const message of [payload, `fingerprint\n${payload}`, `marker${payload}`]) {
    const other = createHmac("sha256", secret).update(message).digest("base64url");
    expect(markers.read(`<!-- docs-agent:${payload}.${other} -->`, PLACE, COMMENT)).toBeNull();
  }
  const plain = createHmac("sha256", KEY).update(`marker\n${payload}`).digest("base64url");
  expect(markers.read(`<!-- docs-agent:${payload}.${plain} -->`, PLACE, COMMENT)).toBeNull();
});

test("no text that the key did not sign is a marker", () => {
  const base64 = fc.stringMatching(/^[A-Za-z0-9_-]{1,80}$/);
  const signatures = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/);
  const forged = fc.oneof(
    hostileText(),
    anyText(60),
    fc.tuple(base64, signatures).map(([one, two]) => `<!-- docs-agent:${one}.${two} -->`),
    fc
      .tuple(fc.json(), signatures)
      .map(([payload, signature]) => `<!-- docs-agent:${encoded(payload)}.${signature} -->`),
    fc
      .tuple(anyMemory, signatures)
      .map(([memory, two]) => `<!-- docs-agent:${encoded({ ...fields, ...memory })}.${two} -->`),
    signatures.map((two) => `<!-- docs-agent:${payload}.${two} -->`),
    fc
      .tuple(fc.json(), fc.string({ minLength: 1 }))
      .map(([payload, key]) => signed(encoded(payload), key)),
    fc.string({ minLength: 1 }).map((key) => signed(payload, key)),
  );
  fc.assert(
    fc.property(forged, fc.constantFrom("", "text\n\n", `${marker}\n`), (text, before) => {
      fc.pre(text.trim() !== "");
      expect(markers.read(`${before}${text}`, PLACE, COMMENT)).toBeNull();
    }),
    { numRuns: runs(1000) },
  );
});

test("a marker that was altered, at any place, by any character, is no marker", () => {
  const all = [..."AZaz09-_. =+/<>!:\n\u200B", "é"];
  const characters = sampleOf(all, 8, "characters in a marker");
  const altered: string[] = [];
  for (let at = 0; at < marker.length; at += 1) {
    const [before, after] = [marker.slice(0, at), marker.slice(at + 1)];
    altered.push(before, before + after);
    for (const character of characters) {
      altered.push(before + character + after, before + character + marker.slice(at));
    }
  }
  // In front of the marker anything may stand.
  const taken = altered
    .filter((body) => !body.endsWith(marker))
    .filter((body) => markers.read(body, PLACE, COMMENT) !== null);
  expect(taken).toEqual([]);
});

test("a marker with other bits where base64 uses none is no marker", () => {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = digits.indexOf(signature.slice(-1));
  for (let bits = 1; bits < 4; bits += 1) {
    const twin = signature.slice(0, -1) + digits[last ^ bits];
    expect(Buffer.from(twin, "base64url")).toEqual(Buffer.from(signature, "base64url"));
    expect(markers.read(`<!-- docs-agent:${payload}.${twin} -->`, PLACE, COMMENT)).toBeNull();
  }
});

test.each<[string, (length: number) => string]>([
  ["beginnings", (length) => "<!-- docs-agent:".repeat(length / 16)],
  ["long beginnings", (length) => `<!-- docs-agent:${"A".repeat(length / 8)}`.repeat(8)],
  ["spaces", (length) => `${marker.slice(0, -4)}${" ".repeat(length)}x`],
])(
  "a comment as long as GitHub allows, full of %s, takes no time by the square of its length",
  async (...row) => {
    const [, bodyOf] = row;
    const read = (length: number) => markers.read(bodyOf(length), PLACE, COMMENT);
    expect(await expectNoSquare(read, 65_536)).toBeNull();
  },
);
