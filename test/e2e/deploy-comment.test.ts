import { expect, test } from "vitest";
import { startWorld, type World } from "../support/world/world.ts";

/** A pull request with documentation, as a run keeps its comment. */
async function withPull(world: World) {
  const { github } = world;
  const pull = await github.openPull({ commits: [{ files: { "docs/a.md": "# A\n" } }] });
  const { branch } = world.pull(pull);
  return { pull, inputs: { branch, comment: "true" } };
}

test("no log is in the comment, and no credential of an address is anywhere", async () => {
  await using world = await startWorld({ steering: { build: "stuck" } });
  const { pull, inputs } = await withPull(world);
  const { outputs, summary, stdout } = await world.run("deploy", { pull, inputs });
  const [comment] = world.comments(pull);
  expect(comment?.body).toContain("### ❌ Docs preview: the build failed");
  expect(comment?.body).toContain("[Workflow run](");
  expect(comment?.body).not.toContain("unexpected end of a component");
  expect(summary).toContain("unexpected end of a component");
  expect(outputs.logs).toContain("https://***@github.example/acme/docs.git");
  expect(`${JSON.stringify(outputs)}${summary}${stdout}`).not.toContain("ghs_emulated");
});

test("a person's comment that begins with the action's mark is left alone", async () => {
  await using world = await startWorld();
  const { pull, inputs } = await withPull(world);
  await world.run("deploy", { pull, inputs });
  const [mark = ""] = world.comments(pull)[0]?.body.split("\n") ?? [];
  const { api, tokenOf } = world.github;
  const body = { body: `${mark}\nMy notes.` };
  await api(`/issues/${pull}/comments`, { method: "POST", token: tokenOf("octocat"), body });
  await world.run("deploy", { pull, inputs });
  const [own, notes, ...more] = world.comments(pull);
  expect(own?.body).toContain("### ✅ Docs preview: built");
  expect(notes?.body).toBe(body.body);
  expect(more).toEqual([]);
});

test("of the comments of two runs, the older one goes on, and the newer one leads to it", async () => {
  await using world = await startWorld();
  const { pull, inputs } = await withPull(world);
  await world.run("deploy", { pull, inputs });
  const [first] = world.comments(pull);
  const { api, tokenOf } = world.github;
  const token = tokenOf(first?.author ?? "");
  await api(`/issues/${pull}/comments`, { method: "POST", token, body: { body: first?.body } });
  const { outputs } = await world.run("deploy", { pull, inputs });
  const [older, newer, ...more] = world.comments(pull);
  expect(outputs.commentUrl).toBe(older?.url);
  expect(older?.body).toContain("### ✅ Docs preview: built");
  expect(newer?.body.split("\n").slice(1)).toEqual([
    `Continued in [another comment](${older?.url}).`,
  ]);
  expect(more).toEqual([]);
});
