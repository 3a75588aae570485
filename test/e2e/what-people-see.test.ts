import { expect, test } from "vitest";
import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { json } from "../support/answers.ts";
import { MARKER } from "../support/world/conversation.ts";
import { CREATE, PR_LINK, record, WITH_JOB } from "../support/world/jobs.ts";
import { ASK, beginning, commentSaying, part, WITH_ANSWER } from "../support/world/questions.ts";
import { leaveJob } from "../support/world/requests.ts";
import { halted, LIST_V1 } from "../support/world/sessions.ts";
import { startWorld, type World } from "../support/world/world.ts";

const ID = "0198c6e2-5a3b-7c11-9d3e-2f4a6b8c0d1e";
const POLL = `GET service /v2/agent/acme-docs/job/${ID}`;

/** Starts a job of this ID. */
async function startJobWorld(): Promise<World> {
  const world = await startWorld(WITH_JOB);
  world.on(CREATE, json(201, record("active", { id: ID })));
  world.on(POLL, json(200, record("active", { id: ID })));
  return world;
}

const WAITING = leaveJob({ fastClock: 60, inputs: { wait: "true", "timeout-minutes": "1" } });

/** Runs an action, and gives back the summaries. */
type Scene = (world: World) => Promise<string[]>;

const endsAs =
  (answer: ReturnType<typeof json>): Scene =>
  async (world) => {
    world.on(POLL, answer);
    const { summary } = await world.run("root", WAITING);
    return [summary];
  };

const SCENES: Record<string, Scene> = {
  "a job that nobody waits for": async (world) => [(await world.run("root", leaveJob())).summary],
  "a pull request": endsAs(json(200, record("completed", { id: ID, prLink: PR_LINK }))),
  "no pull request": endsAs(json(200, record("completed", { id: ID }))),
  "a job that failed": endsAs(json(200, record("failed", { id: ID }))),
  "an archived job": endsAs(json(200, record("archived", { id: ID }))),
  "the time limit": endsAs(json(200, record("active", { id: ID }))),
  "a refused poll": endsAs(json(403, { error: "no scope" })),
  "a job that may have been started": async (world) => {
    world.on(CREATE, json(504, { error: "timed out" }));
    return [(await world.run("root", leaveJob())).summary];
  },
  "a sweep after a pull request": async (world) => {
    const first = await world.run("root", leaveJob());
    world.on(POLL, json(200, record("completed", { id: ID, prLink: PR_LINK })));
    return [first.summary, (await world.run("collect")).summary];
  },
  "a sweep with nothing to do": async (world) => [(await world.run("collect")).summary],
  "a list of jobs, none of which runs": async (world) => {
    world.on(LIST_V1, json(200, { allSessions: [halted("completed", { sessionId: "s_1" })] }));
    return [(await world.run("jobs")).summary];
  },
  "a set-up with a refused key": async (world) => {
    world.on(LIST_V1, json(401, { error: "unknown key" }));
    return [(await world.run("doctor")).summary];
  },
};

const NAMES = [".", "collect", "assistant", "doctor"]
  .flatMap((folder) => Object.keys(readActionMetadata(`${REPOSITORY_ROOT}/${folder}`).inputs ?? {}))
  .filter((name) => name.includes("-"));

/** What is wrong with a text, for whoever reads it without unfolding it. */
function faultsOf(text: string): string[] {
  const shown = text.replace(MARKER, "").replace(/<details>[\s\S]*?<\/details>/g, "");
  const lines = shown.split("\n").filter((line) => line.trim() !== "");
  const headings = lines.filter((line) => line.startsWith("#"));
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?]) (?=[A-Z])/));
  const twice = sentences.filter((words, at) => words.length > 20 && sentences.indexOf(words) < at);
  return [
    ...headings.filter((line) => NAMES.some((name) => line.includes(name))),
    ...(shown.match(/[0-9a-f]{8}-[0-9a-f]{4}-.*|\b(GET|POST|PATCH) \/.*/g) ?? []),
    ...lines.filter((line) => /(^|[ :*(])(0|no) (jobs?|comments?|changes?|tasks?)\b/i.test(line)),
    ...twice,
  ];
}

test.each(Object.entries(SCENES))(
  "what is shown of %s: no names of inputs in headings, no IDs and requests, nothing twice, no zero",
  async (_, scene) => {
    await using world = await startJobWorld();
    const summaries = await scene(world);
    const texts = [...summaries, ...world.comments(7).map(({ body }) => body)];
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.flatMap(faultsOf)).toEqual([]);
  },
);

test("the same holds for an answer that was not given, or interrupted", async () => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(ASK, json(500, { error: "down" }), beginning(part("0", "Use a key."), "close"));
  const inputs = { "trigger-phrase": "/ask", question: "" };
  for (const words of ["/ask Which key?", "/ask --new Which key?"]) {
    const { outputs, summary } = await world.run("assistant", { ...commentSaying(words), inputs });
    expect(outputs.status).toBe("failed");
    expect(faultsOf(summary)).toEqual([]);
  }
  const texts = world.comments(7).map(({ body }) => body);
  expect(texts.flatMap(faultsOf)).toEqual([]);
  expect(texts[0]).toContain("The service returned 500: down.");
  expect(texts[0]).toMatch(/<details>[\s\S]*`POST \/discovery\/[\s\S]*<\/details>/);
});

test("whoever asks for a job that nobody waits for learns where the result appears, and the log how to wait", async () => {
  await using world = await startJobWorld();
  const { summary, stdout } = await world.run("root", leaveJob());
  const comment = world.comment(7);
  expect(comment).toContain("The result will appear here.");
  expect(comment).not.toContain("`job-id`");
  for (const text of [summary, stdout]) {
    expect(text).toContain("This run does not wait for the job to end.");
    expect(text).toContain("`job-id`");
  }
});

test("a comment says what the service answered, and folds the request and the job", async () => {
  await using world = await startJobWorld();
  world.on(POLL, json(403, { error: "no scope" }));
  const { outputs } = await world.run("root", WAITING);
  const [shown = "", folded = ""] = world.comment(7).split("<details>");
  expect(shown).toContain("`The service returned 403: no scope.`");
  expect(folded).toContain(`Job \`${ID}\` · Request \`${POLL.replace(" service", "")}\``);
  expect(outputs.errorMessage).toContain(`${POLL.replace(" service", "")} returned 403`);
});
