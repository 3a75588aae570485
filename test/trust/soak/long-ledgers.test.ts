import { expect, test } from "vitest";
import { isExhaustive } from "../../support/sample.ts";
import { startWorld, type World } from "../../support/world/world.ts";

/** Each test uses the CPU for seconds, so they run only in exhaustive runs. */
const soak = test.runIf(isExhaustive);

/** In milliseconds: a run reads hundreds of changes. */
const LIMIT = 4 * 60_000;
const STEP_LIMIT = { limitMs: 2 * 60_000 };

const HOUR = 3_600_000;
/** Maximum length of an issue or a comment on GitHub, in characters. */
const MAX_BODY = 65_536;

soak(
  "with 1,400 changes to hand over, the dashboard fits into an issue, and every run hands over a batch",
  { timeout: LIMIT },
  async () => {
    await using world = await startWorld();
    world.github.emulated.create("acme/code").grow({ pulls: 1400, commits: 1, days: 40 });
    const inputs = { repositories: "acme/code", since: "2020-01-01" };
    const first = await world.run("upkeep", { ...STEP_LIMIT, inputs });
    expect(first.outputs.result).toBe("started");
    const handed = Number(first.outputs.changeCount);
    // Including the first commit of the repository.
    const all = 1401;
    expect(Number(first.outputs.waitingCount)).toBe(all - handed);
    const body = world.dashboard("upkeep").body;
    expect(body.length).toBeLessThanOrEqual(MAX_BODY);
    expect(body).toMatch(/## Waiting[\s\S]*- … and 1\d\d\d more/);
    await world.passTime();
    const second = await world.run("upkeep", { ...STEP_LIMIT, inputs });
    expect(second.outputs.result).toBe("continued");
    const rest = all - handed - Number(second.outputs.changeCount);
    expect(second.outputs.waitingCount).toBe(String(rest));
  },
);

soak.each([5_000, 50_000])(
  "with %i documented changes, rewriting the branch hands none of them over again",
  { timeout: LIMIT },
  async (count) => {
    await using world = await startWorld();
    const first = world.github.home.push({ message: "The first change" });
    await world.run("upkeep", STEP_LIMIT);
    await world.passTime(3 * HOUR);
    await world.run("upkeep", STEP_LIMIT);
    addDone(world, count);
    const second = world.github.home.push({ message: "The second change" });
    await world.run("upkeep", STEP_LIMIT);
    await world.passTime(3 * HOUR);
    await world.run("upkeep", STEP_LIMIT);
    const sent = await world.prompts();
    world.github.home.forcePush(first, "main", [{ message: "Another one" }]);
    const rewritten = await world.run("upkeep", STEP_LIMIT);
    expect(rewritten.outputs).toMatchObject({ changeCount: "1" });
    await world.passTime(3 * HOUR);
    world.github.home.forcePush(second);
    expect((await world.run("upkeep", STEP_LIMIT)).outputs).toMatchObject({ result: "idle" });
    expect(await world.prompts()).toHaveLength(sent.length + 1);
    expect(world.dashboard("upkeep").body.length).toBeLessThanOrEqual(MAX_BODY);
  },
);

/** Adds batches of 20 changes to the history, spread over two years. */
function addDone(world: World, count: number): void {
  const { home } = world.github;
  const { ref, sha, files } = world.ledger("upkeep");
  const [line = ""] = Object.entries(files).flatMap(([path, text]) =>
    path.startsWith("history/") ? text.split("\n") : [],
  );
  const example = JSON.parse(line);
  const added: Record<string, string> = {};
  for (let nth = 0; nth < count / 20; nth += 1) {
    const at = new Date(Date.parse(example.at) - (30 + (nth % 700)) * 24 * HOUR).toISOString();
    const keys = Array.from({ length: 20 }, (_, item) => `done/${nth}.${item}`);
    const changes = keys.map((key) => ({ ...example.changes[0], key }));
    const path = `history/${at.slice(0, 7)}.jsonl`;
    added[path] = `${added[path] ?? ""}${JSON.stringify({ ...example, at, changes })}\n`;
  }
  const known = JSON.parse(files["ledger.json"] ?? "");
  const historyFiles = [...Object.keys(added).sort(), ...known.historyFiles];
  added["ledger.json"] = JSON.stringify({ ...known, historyFiles });
  home.setRef(ref, home.commit(sha, { files: added }));
}
