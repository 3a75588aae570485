// Upkeep: runs until its dashboard has something to show in every section.
import { type LocalWorld, startLocalWorld } from "../../../emulator/local-world/index.ts";
import { RepositoryHistory } from "../../../emulator/local-world/repository-history.ts";
import type { Part } from "../page.ts";
import { dashboard } from "./dashboard.ts";
import { runStep } from "./step.ts";

/** GitHub's clock between two runs, in milliseconds. */
const HOUR = 60 * 60_000;

/** The dashboard, as the emulated GitHub has it after some merges and runs. */
export async function showUpkeep(): Promise<Part[]> {
  await using world = await startLocalWorld({
    steering: { durationMs: 0 },
    repository: "acme/app",
  });
  const story = new Story(world);
  await story.run();
  await story.land(["Add a retry limit to webhooks", "Rename the flag --out to --output"]);
  await story.run();
  await story.land(["Cache the list of projects"]);
  await story.run({ steering: "outcome=no-changes" });
  await story.land(["Move the tests of the parser"], { folder: "test" });
  await story.land(["Format the sources"], { labels: ["skip-docs"] });
  await story.land(["Rotate keys without downtime"]);
  await story.run();
  await story.land(["Read settings from the environment"]);
  await story.run({ steering: "outcome=failed" });
  await story.land(["Remove the endpoint /v1/search"]);
  await world.service.addFault({
    route: "v2-create",
    status: 504,
    body: JSON.stringify({ error: "timed out" }),
  });
  await story.run({ fails: true });
  await story.land(["Accept several files in one upload", "Tell the quota in a header"]);
  await story.run({ steering: "duration=never" });
  await story.land(["Let webhooks be paused"]);
  await story.run();
  return await dashboard(world, "docs-upkeep");
}

/** What happens in the repository, one thing after the other. */
class Story {
  readonly #world: LocalWorld;
  readonly #history: RepositoryHistory;
  #since: string | undefined;
  #files = 0;

  constructor(world: LocalWorld) {
    this.#world = world;
    this.#history = new RepositoryHistory(world.github);
  }

  /** Merges a pull request for each title. */
  async land(titles: string[], { folder = "src", labels = [] as string[] } = {}): Promise<void> {
    for (const title of titles) {
      this.#files += 1;
      const files = { [`${folder}/part-${this.#files}.ts`]: `${title}\n` };
      await this.#history.land({ title, labels, commits: [{ message: title, files }] }, "squash");
    }
  }

  /**
   * One run of the schedule, an hour after the one before.
   *
   * @param fails whether the step is to fail
   */
  async run({ steering = "outcome=completed", fails = false } = {}): Promise<void> {
    this.#since ??= await this.#history.tip();
    await this.#history.advance(HOUR);
    const inputs = {
      prompt: `Bring the documentation up to date.\nemulate: ${steering}`,
      since: this.#since,
      paths: "src/**",
      "max-attempts": "1",
      "open-pull-request": "new",
    };
    const step = { action: "upkeep", eventName: "schedule", inputs };
    await runStep(this.#world, step, { expectFailure: fails });
  }
}
