import { expect, test } from "vitest";
import { held, json, redirect, text } from "../support/answers.ts";
import {
  ASK,
  ASK_V2,
  ASSISTANT_KEY,
  beginning,
  dataStream,
  end,
  part,
  QUESTION,
  startAssistantScenario,
  THREAD,
} from "../support/assistant-scenario.ts";
import { issueOpened, schedule } from "../support/events.ts";
import { refusal } from "../support/github.ts";
import { someOf } from "../support/sample.ts";
import { MARKER } from "../support/scenario.ts";

const SOURCE = { sourceType: "url", id: "s", url: "https://docs.acme.example/keys", title: "Keys" };

test("a question in, an answer out: outputs, log, summary and comment", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(
    ASK,
    dataStream("Create a **second** one.\nThen delete the first.", THREAD, [SOURCE]),
  );
  const result = await scenario.run();
  expect(result.errors).toEqual([]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toEqual({
    status: "completed",
    answer: "Create a **second** one.\nThen delete the first.",
    threadId: THREAD,
    sources: JSON.stringify([{ title: "Keys", url: "https://docs.acme.example/keys" }]),
    commentUrl: (await scenario.github.comments(7))[0]?.html_url,
  });
  expect(result.visible).toContain("Create a **second** one.");
  expect(result.visible).toContain("Then delete the first.");
  const body = (await scenario.github.comments(7))[0]?.body ?? "";
  for (const shown of [body, result.summary]) {
    expect(shown).toContain("Create a **second** one. Then delete the first.");
    expect(shown).toContain("[Keys](https://docs.acme.example/keys)");
    expect(shown).toContain("https://github.com/octo/docs/actions/runs/1001");
  }
  expect(body.match(MARKER)).toHaveLength(1);
  expect(body).toMatch(/ -->$/);
  expect(result.summary).not.toMatch(MARKER);
  expect(scenario.github.reactions.map((it) => it.split(" ")[1])).toEqual(["eyes", "rocket"]);
});

test("the request of version 1 is the document's, with what was not given left out", async () => {
  await using scenario = await startAssistantScenario();
  await scenario.run();
  expect(scenario.service.requests[0]?.headers.authorization).toBe(`Bearer ${ASSISTANT_KEY}`);
  expect(scenario.asked()).toEqual({
    fp: "anonymous",
    messages: [
      {
        id: expect.any(String),
        role: "user",
        content: QUESTION,
        parts: [{ type: "text", text: QUESTION }],
      },
    ],
    retrievalPageSize: 5,
  });
});

test.each(someOf(["v1", "v2"]))(
  "every field that was given is sent to %s, each file with its path",
  async (version) => {
    await using scenario = await startAssistantScenario();
    scenario.service.on(ASK_V2, dataStream());
    const context = [
      { type: "textSelection", value: "rotate", path: "/keys/rotate", elementId: "p1" },
      { type: "code", value: "rotate()", language: "js" },
    ];
    const filter = { version: "v2", language: "en", groups: ["beta"] };
    await scenario.run({
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
    expect(scenario.asked()).toEqual({
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

test("the answer is in the log line by line, while it is still being written", async () => {
  await using scenario = await startAssistantScenario();
  const rest = Promise.withResolvers<void>();
  scenario.service.on(ASK, async ({ response }) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write(part("0", "The first line.\nThe sec"));
    await rest.promise;
    response.end(part("0", "ond line.") + end());
  });
  const run = scenario.start();
  await run.waitForLine("The first line.");
  expect(run.lines.join("\n")).not.toContain("The sec");
  rest.resolve();
  const result = await run.result;
  expect(result.visible).toContain("The second line.");
});

test("a service that repeats the key is not repeated, wherever its pieces divide it", async () => {
  await using scenario = await startAssistantScenario();
  const [one, two] = [ASSISTANT_KEY.slice(0, 12), ASSISTANT_KEY.slice(12)];
  const url = `https://docs.acme.example/${ASSISTANT_KEY}`;
  scenario.service.on(
    ASK,
    text(
      200,
      [
        part("h", { sourceType: "url", url, title: ASSISTANT_KEY }),
        part("0", `Your key is ${one}`),
        part("0", `${two}, is it not?`),
        end(ASSISTANT_KEY),
      ].join(""),
    ),
  );
  const result = await scenario.run({ debug: true });
  const printed = result.stdout.replace(`::add-mask::${ASSISTANT_KEY}`, "") + result.stderr;
  const { outputs, summary, state } = result;
  const left = JSON.stringify([printed, outputs, summary, state, scenario.github.bodies]);
  expect(left).not.toContain(ASSISTANT_KEY);
  expect(left).not.toContain(two);
  expect(outputs.answer).toBe("Your key is ***, is it not?");
});

const HOSTILE = [
  "::set-output name=status::evil\n::add-mask::completed\r##[error]forged",
  "@octocat fixes #12 and octo/docs#13, closes https://github.com/octo/docs/issues/14",
  "<!-- docs-agent:eyJ2IjoxfQ.c2ln -->",
  "<script>x</script> ![pixel](https://evil.example/p.png) <img src=x>",
  "[a](javascript:alert) [b](http://evil.example)",
].join("\n\n");

test("an answer starts no command in the log, and does nothing in a comment", async () => {
  await using scenario = await startAssistantScenario();
  const source = { url: "javascript:alert(1)", title: "](https://evil.example) @octocat" };
  const good = {
    url: "https://docs.acme.example/?a=(b)",
    title: "](https://evil.example) @octocat",
  };
  scenario.service.on(ASK, dataStream(HOSTILE, THREAD, [source, good]));
  const result = await scenario.run();
  expect(result.log.filter(({ kind }) => kind === "command")).toEqual([]);
  expect(result.masks).not.toContain("completed");
  expect(result.outputs.status).toBe("completed");
  expect(JSON.parse(result.outputs.sources ?? "")).toHaveLength(1);
  expect(result.warnings.join()).toContain("sources");
  const body = (await scenario.github.comments(7))[0]?.body ?? "";
  for (const shown of [body, result.summary]) {
    expect(shown).not.toMatch(/@octocat|#1[23]\b|issues\/14\)|<script|<img|!\[/);
    expect(shown).not.toMatch(/\]\((javascript:|http:\/\/evil|https:\/\/evil\.example\))/);
    expect(shown).not.toContain("eyJ2IjoxfQ.c2ln -->");
  }
  expect(body.match(MARKER)).toHaveLength(1);
});

test("an answer that GitHub would not take is cut, with a note; marker and sources stay", async () => {
  await using scenario = await startAssistantScenario();
  const long = `${"All about *keys* & @octocat. ".repeat(40)}\n\n`.repeat(200);
  scenario.service.on(ASK, dataStream(long, THREAD, [SOURCE]));
  const result = await scenario.run();
  expect(result.outputs.answer).toBe(long);
  const body = (await scenario.github.comments(7))[0]?.body ?? "";
  expect(body.length).toBeLessThanOrEqual(65_536);
  expect(body.length).toBeGreaterThan(40_000);
  expect(body).toContain("left out");
  expect(body).toContain("[Keys](https://docs.acme.example/keys)");
  expect(body.match(MARKER)).toHaveLength(1);
});

const BEGUN = `${part("h", SOURCE)}${part("0", "It is don")}`;

test.each(
  someOf([
    ["is reset", beginning(BEGUN, "reset")],
    ["ends before its end", beginning(BEGUN, "close")],
    ["tells an error", text(200, `${BEGUN}${part("3", "out of words")}`)],
  ]),
)("a stream that %s keeps what came and fails with stream-interrupted", async (_, answer) => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, answer);
  const result = await scenario.run();
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  expect(result.outputs).toMatchObject({
    status: "failed",
    answer: "It is don",
    errorKind: "stream-interrupted",
  });
  expect(result.visible).toContain("It is don");
  const body = (await scenario.github.comments(7))[0]?.body ?? "";
  expect(body).toContain("It is don");
  expect(body).toContain("broke off");
  expect(scenario.service.requests).toHaveLength(1);
});

test("the service's own words for an error are told", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, text(200, part("3", "out of words")));
  const result = await scenario.run();
  expect(result.errors[0]).toContain("out of words");
});

test("a connection that breaks after the end takes nothing of the answer with it", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, beginning(part("0", "Whole.") + end(), "reset"));
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.outputs.answer).toBe("Whole.");
});

test("a stream that falls silent is given up after a minute", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, beginning(BEGUN, "silence"));
  const result = await scenario.run({ fastClock: 50 });
  expect(result.outputs).toMatchObject({ answer: "It is don", errorKind: "stream-interrupted" });
  expect(result.errors[0]).toContain("silent");
});

test("an answer that takes longer than timeout-minutes keeps what came", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, beginning(BEGUN, "silence"));
  const result = await scenario.run({ inputs: { "timeout-minutes": "0.05" } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ answer: "It is don", errorKind: "timeout" });
});

test("an answer without end is cut off at 8 MiB", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, ({ response }) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const piece = part("0", "x".repeat(64 * 1024));
    const pump = () => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once("drain", pump);
    };
    pump();
  });
  const result = await scenario.run();
  expect(result.outputs.errorKind).toBe("stream-interrupted");
  expect(result.errors[0]).toContain(`${8 * 1024 * 1024} bytes`);
  expect(result.outputs.answer?.length).toBeLessThanOrEqual(8 * 1024 * 1024);
});

test("a run that is cancelled tells what came, at once", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, beginning(part("0", "A line.\nMore"), "silence"));
  const run = scenario.start();
  await run.waitForLine("A line.");
  run.signal("SIGINT");
  const result = await run.result;
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({
    status: "failed",
    answer: "A line.\nMore",
    errorKind: "cancelled",
  });
  expect((await scenario.github.comments(7))[0]?.body).toContain("cancelled");
});

test.each(
  someOf([
    [400, "bad-request"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not-found"],
    [500, "service-unavailable"],
  ]),
)("a refusal with %i is %s, in the service's words, and is not repeated", async (status, kind) => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, json(status, { error: "no such luck" }));
  const result = await scenario.run();
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ status: "failed", errorKind: kind });
  expect(result.errors[0]).toContain("no such luck");
  expect(scenario.service.requests).toHaveLength(1);
  expect((await scenario.github.comments(7))[0]?.body).toContain("no such luck");
});

test.each(
  someOf([
    ["a rate limit", json(429, { error: "slow down" }, { "retry-after": "7" })],
    ["a service that is busy for now", json(503, { error: "soon" }, { "retry-after": "7" })],
  ]),
)("%s is waited out", async (_, answer) => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, answer, dataStream());
  const result = await scenario.run({ fastClock: 50 });
  expect(result.outputs.status).toBe("completed");
  const [first, second] = scenario.service.requests;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual((7000 / 50) * 0.9);
});

test("a redirect is not followed", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, redirect(307, `${scenario.service.url}/elsewhere`));
  const result = await scenario.run();
  expect(result.outputs.errorKind).toBe("invalid-response");
  expect(scenario.service.requests).toHaveLength(1);
});

test.each(
  someOf([
    ["a page", text(200, "<!doctype html><p>Welcome</p>")],
    ["nothing", text(200, "")],
    ["an answer without words", text(200, end())],
  ]),
)("%s instead of an answer is invalid-response", async (_, answer) => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, answer);
  const result = await scenario.run();
  expect(result.outputs).toMatchObject({ status: "failed", errorKind: "invalid-response" });
});

test("a whole message as JSON is read too", async () => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, json(200, { content: "Gathered.", metadata: { threadId: "thr_9" } }));
  const result = await scenario.run();
  expect(result.outputs).toMatchObject({ answer: "Gathered.", threadId: "thr_9" });
});

test("without an issue there is no comment, and the answer is there all the same", async () => {
  await using scenario = await startAssistantScenario();
  const result = await scenario.run(schedule);
  expect(result.exitCode).toBe(0);
  expect(result.outputs.answer).not.toBe("");
  expect(scenario.github.server.requests).toEqual([]);
});

test("a comment that GitHub refuses is a warning, and the answer is not affected", async () => {
  await using scenario = await startAssistantScenario();
  scenario.github.answer("create-comment", refusal(403, "Resource not accessible"));
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.warnings.join()).toMatch(/issues: write.*answer is not affected/);
});

test("comment: false posts nothing", async () => {
  await using scenario = await startAssistantScenario();
  const result = await scenario.run({ inputs: { comment: "false" } });
  expect(result.exitCode).toBe(0);
  expect(scenario.github.bodies).toEqual([]);
  expect(scenario.github.reactions).toEqual([]);
});

test("an issue is itself the question when there is no other: without what nobody sees of it", async () => {
  await using scenario = await startAssistantScenario();
  const opened = issueOpened(7);
  const event = opened.event as { issue: object };
  const body = "<!-- a template's hint -->\nWhat about \u200Bkeys?";
  await scenario.run({
    eventName: "issues",
    event: { ...event, action: "labeled", issue: { ...event.issue, title: "Keys", body } },
    inputs: { question: "" },
  });
  const [message] = scenario.asked().messages as { content: string }[];
  expect(message?.content).toBe("Keys\n\nWhat about keys?");
});

test("the eyes are there before the answer is", async () => {
  await using scenario = await startAssistantScenario();
  const answer = held(dataStream());
  scenario.service.on(ASK, answer);
  const run = scenario.start();
  await scenario.github.server.waitForRequest("POST /repos/octo/docs/issues/comments/70/reactions");
  answer.release();
  expect((await run.result).exitCode).toBe(0);
});
