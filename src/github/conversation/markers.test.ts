import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../../../test/support/arbitrary.ts";
import {
  anyMemory,
  anyPlace,
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
import { jobMarkers } from "./job-marker.ts";
import { type Place, StepIdentity } from "./markers.ts";

test("a marker at the end of a comment is read back", () => {
  for (const body of [marker, `Text\n\n${marker}`, `Text ${marker} \r\n\n`]) {
    expect(markers.read(body, PLACE, COMMENT)).toEqual(MEMORY);
  }
});

test("this file signs as the action does", () => {
  expect(signed(partsOf(marker).payload)).toBe(marker);
  expect(markers.read(signed(encoded(fields)), PLACE, COMMENT)).toEqual(MEMORY);
});

test("a marker with any content is read back under any text, and readers do not see it", () => {
  fc.assert(
    fc.property(anyPlace, anyMemory, hostileText(), (place, memory, text) => {
      const written = markers.write(place, memory, COMMENT);
      expect(written).toMatch(/^<!-- docs-agent:[\w-]+\.[\w-]{43} -->$/);
      expect(markers.read(`${text}\n\n${written}`, place, COMMENT)).toEqual(memory);
    }),
  );
});

test("the job of the longest id there can be on GitHub is remembered", () => {
  const memory = { ...MEMORY, job: "j".repeat(4000) };
  expect(markers.read(markers.write(PLACE, memory, COMMENT), PLACE, COMMENT)).toEqual(memory);
});

test("a marker without a job and a run stores null for both", () => {
  const memory = { ...MEMORY, job: null, run: null };
  const written = markers.write(PLACE, memory, COMMENT);
  const stored = Buffer.from(partsOf(written).payload, "base64url").toString();
  expect(stored).toBe(JSON.stringify({ ...fields, job: null, run: null }));
  expect(markers.read(written, PLACE, COMMENT)).toEqual(memory);
});

test("a draft is found by its name, and counts for nothing else", () => {
  const draft = markers.write(PLACE, MEMORY, "one");
  expect(markers.readDraft(draft, PLACE)).toEqual({ name: "one", marker: MEMORY });
  expect(markers.readDraft(marker, PLACE)).toBeNull();
  expect(markers.read(draft, PLACE, COMMENT)).toBeNull();
});

test("markers that the previous key signed still count; new ones are signed with the current key", () => {
  const rotated = jobMarkers(["mint_new", KEY], "docs");
  expect(rotated.read(marker, PLACE, COMMENT)).toEqual(MEMORY);
  const renewed = rotated.write(PLACE, MEMORY, COMMENT);
  expect(markers.read(renewed, PLACE, COMMENT)).toBeNull();
  expect(jobMarkers(["mint_new"], "docs").read(renewed, PLACE, COMMENT)).toEqual(MEMORY);
  expect(rotated.fingerprints("x")[1]).toEqual(markers.fingerprints("x")[0]);
  expect(rotated.fingerprints("y")).not.toContain(markers.fingerprints("x")[0]);
});

test("names of repositories are the same in any case", () => {
  expect(markers.read(marker, { ...PLACE, repository: "Octo/DOCS" }, COMMENT)).toEqual(MEMORY);
  const written = markers.write({ ...PLACE, repository: "OCTO/Docs" }, MEMORY, COMMENT);
  expect(markers.read(written, PLACE, COMMENT)).toEqual(MEMORY);
});

const HERE: Place = { ...PLACE, repositoryId: 4711 };
const ofId = markers.write(HERE, MEMORY, COMMENT);

test("a repository is the same after it is renamed or transferred, and another one under its name is not", () => {
  expect(markers.read(ofId, { ...HERE, repository: "acme/handbook" }, COMMENT)).toEqual(MEMORY);
  expect(markers.read(ofId, { ...HERE, repositoryId: 4712 }, COMMENT)).toBeNull();
  const draft = markers.write(HERE, MEMORY, "one");
  expect(markers.readDraft(draft, { ...HERE, repository: "acme/handbook" })?.name).toBe("one");
  expect(markers.readDraft(draft, { ...HERE, repositoryId: 4712 })).toBeNull();
});

test("where one side does not know the ID, the name decides", () => {
  expect(markers.read(marker, HERE, COMMENT)).toEqual(MEMORY);
  expect(markers.read(ofId, PLACE, COMMENT)).toEqual(MEMORY);
  expect(markers.read(ofId, { ...PLACE, repository: "acme/handbook" }, COMMENT)).toBeNull();
});

test("a marker without an ID may be from before the repository was renamed, one with an ID is not", () => {
  const now: Place = { ...HERE, repository: "acme/handbook" };
  const former = { repository: "octo/docs", marker: MEMORY };
  expect(markers.readFormer(marker, now, COMMENT)).toEqual(former);
  expect(markers.readFormer(marker, now, COMMENT + 1)).toBeNull();
  expect(markers.readFormer(marker, { ...now, issue: 8 }, COMMENT)).toBeNull();
  expect(markers.readFormer(ofId, now, COMMENT)).toBeNull();
  expect(jobMarkers([`${KEY}x`], "docs").readFormer(marker, now, COMMENT)).toBeNull();
});

test("neither the key nor the project can be read in it", () => {
  const text = JSON.stringify(fields);
  expect(text).not.toContain(KEY);
  expect(Object.values(fields)).not.toContain("docs");
});

test.each<[string, typeof markers, Place]>([
  ["another key", jobMarkers([`${KEY}x`], "docs"), PLACE],
  ["another project", jobMarkers([KEY], "docs2"), PLACE],
  ["another issue", markers, { ...PLACE, issue: 8 }],
  ["another repository", markers, { ...PLACE, repository: "octo/code" }],
  ["another owner", markers, { ...PLACE, repository: "evil/docs" }],
])("a marker of %s is no marker", (_, reader, place) => {
  expect(reader.read(marker, place, COMMENT)).toBeNull();
});

test("a prompt without a job is another step than a job without a prompt", () => {
  const run = { runId: "1001", attempt: 2, step: "write-docs/docs" };
  const step = new StepIdentity(markers, run, "", ["Explain.", null]);
  expect(step.isEarlier({ ...step.marker, attempt: 1 })).toBe(true);
  const other = new StepIdentity(markers, run, "", [null, "Explain."]);
  expect(step.isOwn(other.marker)).toBe(false);
});
