import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import { held, json, refusal } from "../../../test/support/answers.ts";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { connectClient, connectEmulated } from "../../../test/support/github-client.ts";
import type { Connect } from "../api/connect.ts";
import { Feedback, type FeedbackPlan } from "./feedback.ts";
import { type JobMarker, jobMarkers } from "./job-marker.ts";

const MARKER: JobMarker = {
  job: "job_1",
  api: "v2",
  request: "accepted",
  ended: null,
  run: "1001",
  attempt: 1,
  step: "write-docs/docs",
  asks: "a",
};

const PLAN: FeedbackPlan = {
  place: { repository: "octo/docs", issue: 7 },
  reactionTarget: { path: "issues/7" },
  repository: "octo/docs",
  draft: "1001-1-x",
};

const UNAFFECTED = "The job is not affected.";
const IF_EXPIRED = "Another run finishes it.";

function setUp(
  connect: Connect,
  over: Partial<FeedbackPlan> = {},
  ifExpired: string | null = IF_EXPIRED,
) {
  const { log, lines } = dependenciesOf();
  const plan = { ...PLAN, ...over };
  const markers = jobMarkers(["mint_k3y"], "docs");
  const texts = { unaffected: UNAFFECTED, ifExpired };
  const feedback = new Feedback({ plan, ...texts, markers, connect, log });
  return { feedback, lines };
}

/** A run's comment on an issue of an emulated GitHub, and what it says with its markers left out. */
function setUpIssue() {
  const github = new GitHub(() => Date.parse("2026-05-01T10:00:00Z"));
  const repository = github.create("octo/docs");
  for (let nth = 0; nth < 7; nth += 1) repository.openIssue({ title: "Docs" });
  const client = connectEmulated(github);
  const texts = () => repository.commentsOn(7).map(({ body }) => body.split("\n\n", 1)[0]);
  return { ...client, ...setUp(client.connect), github, repository, texts };
}

describe("the comment", () => {
  test("says the newest of the texts that come at the same time", async () => {
    const { feedback, texts, asked } = setUpIssue();
    const writes = ["Sent.", "At work.", "Done."].map((text) => feedback.write(text, MARKER));
    await Promise.all(writes);
    expect(texts()).toEqual(["Done."]);
    expect(asked).toHaveLength(2);
  });

  test("is not edited for the text that it already has", async () => {
    const { feedback, asked } = setUpIssue();
    await feedback.write("At work.", MARKER);
    const before = asked.length;
    await feedback.write("At work.", MARKER);
    expect(asked).toHaveLength(before);
  });

  test("is not tried again after a refusal that does not pass", async () => {
    const { feedback, github, texts, lines } = setUpIssue();
    github.addFault({ method: "POST", status: 403 });
    await feedback.write("At work.", MARKER);
    await feedback.write("Done.", MARKER);
    expect(texts()).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  test("is tried again after a failure that passes", async () => {
    const { feedback, github, texts } = setUpIssue();
    github.addFault({ method: "POST", status: 502 });
    await feedback.write("At work.", MARKER);
    await feedback.write("Done.", MARKER);
    expect(texts()).toEqual(["Done."]);
  });

  test("whose creation was not answered is found, and is the only one", async () => {
    const { feedback, loseNext, texts } = setUpIssue();
    loseNext("POST");
    await feedback.write("At work.", MARKER);
    expect(feedback.ref).toBeNull();
    await feedback.write("Done.", MARKER);
    expect(texts()).toEqual(["Done."]);
  });

  test("gets its earlier text again after an edit that was not answered", async () => {
    const { feedback, loseNext, texts } = setUpIssue();
    await feedback.write("At work.", MARKER);
    // The client repeats an edit once.
    loseNext("PATCH", 2);
    await feedback.write("Done.", MARKER);
    expect(texts()).toEqual(["Done."]);
    await feedback.write("At work.", MARKER);
    expect(texts()).toEqual(["At work."]);
  });

  test("is still known after a refusal", async () => {
    const { feedback, github } = setUpIssue();
    await feedback.write("At work.", MARKER);
    const { ref } = feedback;
    github.addFault({ method: "PATCH", status: 403 });
    await feedback.write("Done.", MARKER);
    expect(ref).not.toBeNull();
    expect(feedback.ref).toEqual(ref);
  });

  test("of a main step that did not save its ID is found by the post step", async () => {
    const main = setUpIssue();
    main.loseNext("POST");
    await main.feedback.write("At work.", MARKER);
    const post = setUp(main.connect).feedback;
    post.adopt(null);
    await post.write("Cancelled.", MARKER);
    expect(main.texts()).toEqual(["Cancelled."]);
  });

  test("of a main step that saved its ID is edited without a search", async () => {
    const main = setUpIssue();
    await main.feedback.write("At work.", MARKER);
    const before = main.asked.length;
    const post = setUp(main.connect).feedback;
    post.adopt(main.feedback.ref);
    await post.write("Cancelled.", MARKER);
    expect(main.texts()).toEqual(["Cancelled."]);
    expect(main.asked).toHaveLength(before + 1);
  });

  test("is written anew at the end if it was deleted, once", async () => {
    const { feedback, repository, texts, lines } = setUpIssue();
    await feedback.write("At work.", MARKER);
    for (const comment of repository.commentsOn(7)) repository.setComment(comment, null);
    await feedback.finish("Done.", MARKER, dependenciesOf());
    expect(texts()).toEqual(["Done."]);
    expect(lines).toEqual([]);
  });

  test("is tried at the end although an earlier text was refused", async () => {
    const { feedback, github, texts } = setUpIssue();
    github.addFault({ method: "POST", status: 403 });
    await feedback.write("At work.", MARKER);
    await feedback.finish("Done.", MARKER, dependenciesOf());
    expect(texts()).toEqual(["Done."]);
  });

  test.each([
    ["less than a minute", 5, "Done."],
    ["longer", 30, "At work."],
  ])("is tried for a minute at the end: GitHub fails for %s", async (_, times, shown) => {
    const { feedback, github, texts, lines } = setUpIssue();
    await feedback.write("At work.", MARKER);
    github.addFault({ method: "PATCH", status: 502, times });
    let now = 0;
    const sleep = async (milliseconds: number) => {
      now += milliseconds;
    };
    const clock = { now: () => now, timeOfDay: () => now, sleep };
    await feedback.finish("Done.", MARKER, dependenciesOf({ clock }));
    expect(texts()).toEqual([shown]);
    expect(lines).toHaveLength(shown === "Done." ? 0 : 1);
    expect(now).toBeLessThanOrEqual(60_000);
  });

  test("is announced once, when it exists", async () => {
    const { feedback } = setUpIssue();
    const seen: unknown[] = [];
    const note = () => void seen.push(feedback.ref?.id);
    await feedback.write("At work.", MARKER, note);
    await feedback.write("Done.", MARKER, note);
    expect(seen).toEqual([feedback.ref?.id]);
    expect(seen).not.toContain(undefined);
  });
});

test("without a place for them, nothing is written, and no marker takes room", async () => {
  const { connect, asked } = setUpIssue();
  const { feedback } = setUp(connect, { place: null, reactionTarget: null });
  feedback.adopt({ id: 1, url: "https://github.com/octo/docs/issues/7" });
  await Promise.all([feedback.write("At work.", MARKER), feedback.react("eyes")]);
  feedback.throwMistake();
  expect([feedback.ref, feedback.markerLength(MARKER)]).toEqual([null, 0]);
  expect(asked).toEqual([]);
});

test("the room for a marker is enough for the draft's name and for any ID", () => {
  const { feedback } = setUpIssue();
  const markers = jobMarkers(["mint_k3y"], "docs");
  const place = { repository: "octo/docs", issue: 7 };
  for (const name of [PLAN.draft, 1, Number.MAX_SAFE_INTEGER]) {
    const { length } = `\n\n${markers.write(place, MARKER, name)}`;
    expect(feedback.markerLength(MARKER)).toBeGreaterThanOrEqual(length);
  }
});

test("what GitHub refuses is a warning, and the run goes on", async () => {
  const { server, connect } = connectClient();
  server.on(
    "POST /repos/octo/docs/issues/7/:what",
    refusal(403, "Resource not accessible by integration"),
  );
  const { feedback, lines } = setUp(connect);
  await Promise.all([feedback.write("At work.", MARKER), feedback.react("eyes")]);
  feedback.throwMistake();
  expect(lines).toHaveLength(2);
  expect(lines.join("\n")).toMatch(/warning: .*`issues: write`.* The job is not affected\./);
});

test.each([
  ["after the comment was written", "PATCH", IF_EXPIRED, ` ${IF_EXPIRED}`],
  ["before the comment was written", "POST", IF_EXPIRED, ""],
  ["for which there is no advice", "PATCH", null, ""],
])("the warning about a token that expired %s", async (_, method, ifExpired, advice) => {
  const { connect, github } = setUpIssue();
  const { feedback, lines } = setUp(connect, {}, ifExpired);
  if (method === "PATCH") await feedback.write("At work.", MARKER);
  github.addFault({ method, status: 401 });
  await feedback.write("Done.", MARKER);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/`github-token` is invalid or has expired /);
  expect(lines[0]?.endsWith(`. ${UNAFFECTED}${advice}`)).toBe(true);
});

test("a mistake of the action is thrown where the run can report it, and is no warning", async () => {
  const mistake = new TypeError("x is not a function");
  const { feedback, lines } = setUp(() => Promise.reject(mistake));
  await Promise.all([feedback.write("At work.", MARKER), feedback.react("eyes")]);
  expect(() => feedback.throwMistake()).toThrow(mistake);
  expect(lines).toEqual([]);
});

test.each(["GitHub has answered the reaction", "five seconds are over"])(
  "the end of a run waits until %s",
  async (what) => {
    const { server, connect } = connectClient();
    const reaction = held(json(201, { id: 1 }));
    server.on("POST /repos/octo/docs/issues/7/:what", reaction);
    const { feedback } = setUp(connect);
    const timer = Promise.withResolvers<void>();
    const sleep = (milliseconds: number) => {
      expect(milliseconds).toBe(5_000);
      return timer.promise;
    };
    void feedback.react("eyes");
    let isOver = false;
    const reacted = feedback.reacted({ now: () => 0, timeOfDay: () => 0, sleep }).then(() => {
      isOver = true;
    });
    while (server.requests.length === 0) await setImmediate();
    expect(isOver).toBe(false);
    if (what.startsWith("GitHub")) reaction.release();
    else timer.resolve();
    await reacted;
  },
);
