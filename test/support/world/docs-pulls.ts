/** The docs pull requests that land brings to their merge. */

import { HOUR, MINUTE, type World, type WorldOptions, type WorldRun } from "./world.ts";

/** Upkeep opens a docs pull request for each batch. */
export const LAND: WorldOptions = {
  runs: { upkeep: { inputs: { "open-pull-request": "new" } } },
};

/** Merges a pull request with code, and has upkeep document it. @returns the docs pull request's number */
export async function documentChange(world: World, title = "Add retries"): Promise<number> {
  await world.github.land({ title }, "squash");
  await world.run("upkeep");
  await world.passTime(HOUR);
  await world.run("upkeep");
  const { reviews } = world.ledger("upkeep").ledger;
  return Number(reviews.at(-1)?.prLink.split("/").at(-1));
}

/** Runs land so that it has seen each head, and lets 5 minutes pass. */
export async function seeHeads(world: World, run: WorldRun = {}): Promise<void> {
  await world.run("land", { ...run, inputs: { ...run.inputs, merge: "never" } });
  await world.passTime(5 * MINUTE);
}

/** The path of the page that a docs pull request changes. */
export async function pageOf(world: World, number: number): Promise<string> {
  const [file] = await world.github.api<{ filename: string }[]>(`/pulls/${number}/files`);
  return file?.filename ?? "";
}

/** The ID of a docs pull request's job. */
export async function jobOf(world: World, number: number): Promise<string> {
  const jobs = await world.service.jobs();
  return jobs.find(({ prLink }) => prLink?.endsWith(`/pull/${number}`))?.id ?? "";
}
