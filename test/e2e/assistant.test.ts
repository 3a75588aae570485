import { expect, test } from "vitest";
import { held, refusal, text } from "../support/answers.ts";
import { issueOpened, schedule } from "../support/events.ts";
import { expectInvalidInput } from "../support/expect-invalid-input.ts";
import { someOf } from "../support/sample.ts";
import { QUESTION } from "../support/world/actions.ts";
import { CREATE_COMMENT, MARKER } from "../support/world/conversation.ts";
import {
  ASK,
  ASK_V2,
  beginning,
  dataStream,
  end,
  part,
  THREAD,
  WITH_ANSWER,
} from "../support/world/questions.ts";
import { startWorld } from "../support/world/world.ts";

const SOURCE = { sourceType: "url", id: "s", url: "https://docs.acme.example/keys", title: "Keys" };

test("an answer is in the outputs, the log, the summary and the comment", async () => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(ASK, dataStream("Create a **second** one.\nThen delete the first.", THREAD, [SOURCE]));
  const result = await world.run("assistant");
  expect(result.errors).toEqual([]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toEqual({
    status: "completed",
    answer: "Create a **second** one.\nThen delete the first.",
    threadId: THREAD,
    sources: JSON.stringify([{ title: "Keys", url: "https://docs.acme.example/keys" }]),
    commentUrl: world.comments(7)[0]?.url,
  });
  expect(result.visible).toContain("Create a **second** one.");
  expect(result.visible).toContain("Then delete the first.");
  const body = world.comment(7);
  for (const shown of [body, result.summary]) {
    expect(shown).toContain("<p>Create a <strong>second</strong> one. Then delete the first.</p>");
    expect(shown).toContain('<a href="https://docs.acme.example/keys">Keys</a>');
    expect(shown).toContain("https://github.com/octo/docs/actions/runs/1001");
  }
  expect(body.match(MARKER)).toHaveLength(1);
  expect(body).toMatch(/ -->$/);
  expect(result.summary).not.toMatch(MARKER);
  expect(world.reactions().map((reaction) => reaction.split(" ")[1])).toEqual(["eyes", "rocket"]);
});

test.each(someOf(["v1", "v2"]))(
  "every input is sent to %s, and each file with its path",
  async (version) => {
    await using world = await startWorld(WITH_ANSWER);
    world.on(ASK_V2, dataStream());
    const context = [
      { type: "textSelection", value: "rotate", path: "/keys/rotate", elementId: "p1" },
      { type: "code", value: "rotate()", language: "js" },
    ];
    const filter = { version: "v2", language: "en", groups: ["beta"] };
    await world.run("assistant", {
      inputs: {
        "api-version": version,
        "thread-id": "thr_0",
        "retrieval-page-size": "9",
        "current-path": "/keys",
        fingerprint: "octocat",
        filter: JSON.stringify(filter),
        context: JSON.stringify(context),
        "context-files": "src/../src/a.ts\n\n  b.txt  \n",
      },
      workspaceFiles: { "src/a.ts": "const a = 1;\n", "b.txt": "\uFEFFb" },
    });
    expect(world.sent("service")[0]).toEqual({
      fp: "octocat",
      messages: [
        {
          id: expect.any(String),
          role: "user",
          ...(version === "v1" ? { content: QUESTION } : {}),
          parts: [{ type: "text", text: QUESTION }],
        },
      ],
      threadId: "thr_0",
      retrievalPageSize: 9,
      currentPath: "/keys",
      filter,
      context: [
        ...context,
        { type: "code", value: "const a = 1;\n", path: "src/a.ts" },
        { type: "code", value: "\uFEFFb", path: "b.txt" },
      ],
    });
  },
);

test("a label on a pull request ends green where the workflow takes questions by phrase only", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const event = { action: "labeled", pull_request: { number: 8, title: "Keys" } };
  const inputs = { "trigger-phrase": "/ask", question: "" };
  const result = await world.run("assistant", { eventName: "pull_request", event, inputs });
  expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" }, errors: [] });
  expect(result.visible.join()).toContain("set `question`");
  expect(world.received("service")).toEqual([]);
});

test("lines of the answer are logged as they arrive", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const lastLine = Promise.withResolvers<void>();
  world.on(ASK, async ({ response }) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write(part("0", "The first line.\nThe sec"));
    await lastLine.promise;
    response.end(part("0", "ond line.") + end());
  });
  const run = world.start("assistant");
  await run.waitForLine("The first line.");
  expect(run.lines.join("\n")).not.toContain("The sec");
  lastLine.resolve();
  const result = await run.result;
  expect(result.visible).toContain("The second line.");
});

const PARTIAL = `${part("h", SOURCE)}${part("0", "It is don")}`;

test.each(
  someOf([
    ["is reset", beginning(PARTIAL, "reset")],
    ["ends without its last part", beginning(PARTIAL, "close")],
    ["contains an error", text(200, `${PARTIAL}${part("3", "out of words")}`)],
  ]),
)(
  "a stream that %s fails the step with stream-interrupted, and the partial answer is kept",
  async (_, answer) => {
    await using world = await startWorld(WITH_ANSWER);
    world.on(ASK, answer);
    const result = await world.run("assistant");
    expect(result.exitCode).toBe(1);
    expect(result.errors).toHaveLength(1);
    expect(result.outputs).toMatchObject({
      status: "failed",
      answer: "It is don",
      errorKind: "stream-interrupted",
    });
    expect(result.visible).toContain("It is don");
    const body = world.comment(7);
    expect(body).toContain("It is don");
    expect(body).toContain("the answer was interrupted");
    expect(world.received("service")).toHaveLength(1);
  },
);

const delta = (more: object) => `data: ${JSON.stringify(more)}\n\n`;
const DELTA = delta({ type: "text-delta", id: "t", delta: "It is don" });

test.each([
  ["[DONE] alone", `${DELTA}data: [DONE]\n\n`],
  ["an abort", `${DELTA}${delta({ type: "abort" })}data: [DONE]\n\n`],
  ["the reason error", `${DELTA}${delta({ type: "finish", finishReason: "error" })}`],
  ["the reason length", `${PARTIAL}${part("d", { finishReason: "length" })}`],
  ["an unknown reason", `${PARTIAL}${part("d", { finishReason: "unknown" })}`],
])("a stream that ends with %s is interrupted, and its answer is no history", async (_, body) => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(ASK, text(200, body));
  const result = await world.run("assistant");
  expect(result.outputs).toMatchObject({ status: "failed", errorKind: "stream-interrupted" });
  expect(result.outputs.answer).toBe("It is don");
  world.on(ASK, dataStream());
  await world.run("assistant", { runId: "1002" });
  expect(JSON.stringify(world.sent("service")[1])).not.toContain("It is don");
});

test("an answer that exceeds timeout-minutes fails the step with timeout, and the partial answer is kept", async () => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(ASK, beginning(PARTIAL, "silence"));
  const result = await world.run("assistant", { inputs: { "timeout-minutes": "0.05" } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ answer: "It is don", errorKind: "timeout" });
});

test("a cancelled run ends with cancelled, and keeps the partial answer", async () => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(ASK, beginning(part("0", "A line.\nMore"), "silence"));
  const run = world.start("assistant");
  await run.waitForLine("A line.");
  run.signal("SIGINT");
  const result = await run.result;
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({
    status: "failed",
    answer: "A line.\nMore",
    errorKind: "cancelled",
  });
  expect(world.comment(7)).toContain("cancelled");
});

test("without an issue, the answer is an output, and there is no request to GitHub", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const result = await world.run("assistant", schedule);
  expect(result.exitCode).toBe(0);
  expect(result.outputs.answer).not.toBe("");
  expect(world.received("github")).toEqual([]);
});

test("a comment that GitHub refuses causes a warning, and the step succeeds", async () => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(CREATE_COMMENT, refusal(403, "Resource not accessible by integration"));
  const result = await world.run("assistant");
  expect(result.exitCode).toBe(0);
  expect(result.warnings.join()).toMatch(/issues: write.*answer is not affected/);
});

test("with comment: false, there are no comments and no reactions", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const result = await world.run("assistant", { inputs: { comment: "false" } });
  expect(result.exitCode).toBe(0);
  expect(world.bodies).toEqual([]);
  expect(world.reactions()).toEqual([]);
});

test("the eyes reaction is set before the answer arrives", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const answer = held(dataStream());
  world.on(ASK, answer);
  const run = world.start("assistant");
  await world.waitForRequest("POST /repos/octo/docs/issues/comments/70/reactions");
  answer.release();
  expect((await run.result).exitCode).toBe(0);
});

test("a filter may contain unknown fields, and null sends no filter", async () => {
  await using world = await startWorld(WITH_ANSWER);
  await world.run("assistant", { inputs: { filter: '{"language": "en", "product": "api"}' } });
  await world.run("assistant", { inputs: { filter: "null" } });
  expect(world.sent("service")[0]?.filter).toEqual({ language: "en", product: "api" });
  expect(world.sent("service")[1]).not.toHaveProperty("filter");
});

test("one error reports every invalid input", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const inputs = {
    "api-key": "",
    domain: ".",
    question: "",
    filter: "x",
    context: "x",
    "context-files": "none.md",
    "current-path": "/".repeat(201),
    "retrieval-page-size": "-1",
    "base-url": "http://api.example",
  };
  const result = await world.run("assistant", { inputs });
  expectInvalidInput(result, Object.keys(inputs));
  expect(result.outputs.status).toBe("failed");
});

test("a file that leads into .git is not sent", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const result = await world.run("assistant", {
    inputs: { "context-files": "notes.md" },
    workspaceFiles: { ".git/config": "extraheader = AUTHORIZATION: basic c2VjcmV0" },
    workspaceLinks: { "notes.md": ".git/config" },
  });
  expectInvalidInput(result, ["context-files"]);
  expect(world.received("service")).toEqual([]);
});

test("the comment is posted at github-api-url, with github-token, on issue-number", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const result = await world.run("assistant", {
    apiUrl: "http://127.0.0.1:9",
    token: "ghs_OfTheRunner",
    inputs: {
      "github-api-url": world.github.url,
      "github-token": world.github.tokenOf("maintainer"),
      "issue-number": "12",
    },
  });
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(world.comments(12)).toMatchObject([{ author: "maintainer" }]);
  expect(world.comments(7)).toEqual([]);
  for (const { headers } of world.received("github")) {
    expect(headers.authorization).toBe(`token ${world.github.tokenOf("maintainer")}`);
  }
});

test("an issue whose text has hidden comments in code is asked whole", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const body = "It begins with `<!--`.\n\n<!-- a template -->\n\nWhat does that do?";
  const { event } = issueOpened(7);
  const issue = { ...Object(event).issue, title: "Comments", body };
  const trigger = { eventName: "issues", event: { ...Object(event), issue } };
  await world.run("assistant", { ...trigger, inputs: { question: "" } });
  const [asked] = world.received(ASK);
  for (const shown of ["`<!--`.", "What does that do?"])
    expect(String(asked?.body)).toContain(shown);
  expect(String(asked?.body)).not.toContain("a template");
});
