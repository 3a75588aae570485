import { expect, test } from "vitest";
import { startConversation } from "../support/conversation.ts";
import { MARKER } from "../support/scenario.ts";

interface Commit {
  sha: string;
}

test("a conversation: from the issue to the pull request, and on from both", async () => {
  await using talk = await startConversation();
  const { github, service } = talk.world;
  const only = { "include-context": "false" };

  // Somebody asks on the issue: eyes, an answer, a pull request, an invitation on it.
  const first = await talk.say(1, "Good idea!\n\n/docs explain how to rotate a key");
  expect(first.errors.concat(first.warnings)).toEqual([]);
  const { jobId, prLink, prNumber } = first.outputs;
  const [asked, answer] = await talk.comments(1);
  expect(await talk.reactionsTo(asked?.id ?? 0)).toEqual(["eyes", "rocket"]);
  expect(answer?.html_url).toBe(first.outputs.commentUrl);
  expect(answer?.body).toContain(`(${prLink})`);
  const pull = Number(prNumber);
  const commits = () => github.api<Commit[]>(`/pulls/${pull}/commits`);
  const changed = (await github.api<{ filename: string }[]>(`/pulls/${pull}/files`))[0]?.filename;
  expect(await commits()).toHaveLength(1);
  const invitations = async () =>
    (await talk.comments(pull)).filter(({ body }) => body.includes("To request changes"));
  expect(await invitations()).toHaveLength(1);
  expect((await invitations())[0]?.body).toContain("#1");

  // A further request on the issue goes to the same job, and adds to the same pull request.
  const second = await talk.say(1, "/docs also mention the default", { inputs: only });
  expect(second.outputs).toMatchObject({ jobId, prLink, status: "completed" });
  expect(await commits()).toHaveLength(2);

  // So does one on the pull request …
  const third = await talk.say(pull, "/docs and the limits", { inputs: only });
  expect(third.outputs).toMatchObject({ jobId, prLink, status: "completed" });
  expect(third.outputs.commentUrl).toContain(`/${pull}#`);
  expect(await commits()).toHaveLength(3);

  // … and one on a line of its change, which the agent is told.
  const onLine = {
    path: changed ?? "",
    line: 3,
    hunk: "@@ -0,0 +1,3 @@\n+# Keys\n+\n+Rotate them.",
  };
  const fourth = await talk.say(pull, "/docs say how often", { onLine });
  expect(fourth.outputs).toMatchObject({ jobId, prLink, status: "completed" });
  expect(await commits()).toHaveLength(4);
  const jobs = await service.jobs();
  expect(jobs).toHaveLength(1);
  const prompts = jobs[0]?.turns.map(({ prompt }) => prompt) ?? [];
  expect(prompts[0]).toContain("explain how to rotate a key");
  expect(prompts[0]).toContain("> Good idea!");
  expect(prompts.slice(1, 3)).toEqual(["also mention the default", "and the limits"]);
  expect(prompts[3]).toMatch(/^say how often\n\n---\n/);
  for (const line of [`${changed}:3`, "+Rotate them.", String(prLink), String(changed)]) {
    expect(prompts[3]).toContain(`> ${line}`);
  }

  // Nobody was invited twice, and every request has an answer of its own.
  expect(await invitations()).toHaveLength(1);
  const own = [...(await talk.comments(1)), ...(await talk.comments(pull))];
  expect(own.filter(({ body }) => body.match(MARKER))).toHaveLength(5);
  const urls = [first, second, third, fourth].map(({ outputs }) => outputs.commentUrl);
  expect(new Set(urls).size).toBe(4);

  // Anew is anew.
  const fifth = await talk.say(pull, "/docs --new describe webhooks", { inputs: only });
  expect(fifth.outputs.jobId).not.toBe(jobId);
  expect(fifth.outputs.prNumber).not.toBe(prNumber);
  expect(await service.jobs()).toHaveLength(2);
  expect(await commits()).toHaveLength(4);
});
