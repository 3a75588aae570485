import { expect, test } from "vitest";
import { schedule } from "../support/events.ts";
import { byPhrase, comment, newIssue } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { CONVERSATION } from "../support/world/conversation.ts";
import { CREATE } from "../support/world/jobs.ts";
import { startWorld } from "../support/world/world.ts";

const asking = (prompt: string) => ({ ...schedule, inputs: { prompt } });

test.each(
  someOf([
    ["with 402", "emulate: answer=402"],
    ["with 429", "emulate: answer=credits"],
  ]),
)(
  "a project whose credits are used up, %s, ends the root action at once, in the service's words",
  async (_, prompt) => {
    await using world = await startWorld();
    const run = await world.run("root", asking(prompt));
    expect(run.exitCode).toBe(1);
    expect(run.outputs.errorKind).toBe("out-of-credits");
    expect(run.outputs.errorMessage).toContain("Your monthly credits are used up");
    expect(run.outputs.errorMessage).toContain("Add credits");
    expect(world.asked("service")).toEqual([CREATE]);
  },
);

test("a firewall's page with 403 is not taken for the service's word about the key", async () => {
  await using world = await startWorld();
  const run = await world.run("root", asking("emulate: answer=firewall"));
  expect(run.exitCode).toBe(1);
  expect(run.outputs.errorKind).toBe("bad-request");
  expect(run.outputs.errorMessage).toContain("something between, such as a proxy or a firewall");
  expect(world.asked("service")).toEqual([CREATE]);
});

test("a firewall's page for the words of one prompt says nothing about another one", async () => {
  await using world = await startWorld({
    service: {
      faults: [{ route: "v2-create", status: 403, words: "DROP TABLE", body: "<p>Blocked</p>" }],
    },
  });
  const fine = await world.run("root", asking("Explain tables."));
  expect(fine.outputs.status).toBe("completed");
  const blocked = await world.run("root", asking("Explain DROP TABLE."));
  expect(blocked.outputs.errorKind).toBe("bad-request");
});

test("a conversation whose job refuses a message with 422 goes on in a new job", async () => {
  await using world = await startWorld(CONVERSATION);
  const first = await world.run("root", byPhrase(newIssue("/docs explain retries")));
  await world.service.addFault({ route: "v2-message", status: 422 });
  const second = await world.run("root", byPhrase(comment("/docs also mention limits")));
  expect(second.exitCode).toBe(0);
  expect(second.outputs.jobId).not.toBe(first.outputs.jobId);
  expect(world.comments(7).at(-1)?.body).toContain("did not accept another message");
});

test("a message that is answered with 404 starts no second job while a poll still shows the first", async () => {
  await using world = await startWorld(CONVERSATION);
  await world.run("root", byPhrase(newIssue("/docs explain retries")));
  await world.service.addFault({ route: "v2-message", status: 404 });
  const second = await world.run("root", byPhrase(comment("/docs also mention limits")));
  expect(second.outputs.errorKind).toBe("not-found");
  expect(world.received(CREATE)).toHaveLength(1);
});

test("a request whose answer is lost, although the service took it, is not sent again", async () => {
  await using world = await startWorld();
  const run = await world.run("root", asking("Explain.\nemulate: answer=lost"));
  expect(run.outputs.errorKind).toBe("create-uncertain");
  expect(world.asked("service")).toEqual([CREATE]);
  expect(await world.prompts()).toHaveLength(1);
});
