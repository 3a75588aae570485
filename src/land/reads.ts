/** What land reads about docs pull requests: from GitHub, their jobs, and the builds of their previews. */

import { redChecksOn } from "../github/changes/base-checks.ts";
import { type BranchRules, branchRulesAt } from "../github/changes/branch-rules.ts";
import { type DocsPull, docsPullAt } from "../github/changes/docs-pull.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import { linksAt } from "../github/changes/file-modes.ts";
import { jobLog } from "../github/changes/job-log.ts";
import { type PullFiles, pullFilesAt } from "../github/changes/pull-files.ts";
import { visibilities } from "../github/changes/seen-repositories.ts";
import { hasEnded } from "../job/poll.ts";
import { cancelledRun } from "../runtime/errors.ts";
import { ABSENT, type Fact, known, type Unread } from "../runtime/fact.ts";
import { endOfBuild } from "../service/builds.ts";
import { isPassing, isUnknown, orServiceError, ServiceError } from "../service/errors.ts";
import { pullRequestAt, safeLink } from "../text/link.ts";
import { sentence } from "../text/sentence.ts";
import { ALL_DONE_RECORDED, LAND_MARK, type LandRun } from "./land-run.ts";
import type { LandLedger, PullEntry } from "./ledger.ts";
import { onceEach } from "./once-each.ts";
import { peopleReads } from "./people.ts";
import { type OtherLedgers, otherLedgersReader, readAskedJobs } from "./read-sources.ts";
import { settledReader } from "./settled-pull.ts";
import { mayName, type VisibleRepositories, visibilityOf } from "./visibility.ts";

/** A poll of a job. */
export interface DocsJobPoll {
  readonly isActive: boolean;
  /** The pull request in its record; null for none. */
  readonly prLink: string | null;
}

/** The build of a preview. `log`: its end. */
export type PreviewBuild =
  | { readonly state: "building" | "built" }
  | { readonly state: "failed"; readonly log: string };

/** Each is asked at most once. What cannot be read is a fact, too: nothing throws but for the reason given. */
export interface LandReads {
  /** GitHub's time, in milliseconds since 1970. */
  now(): number;
  /** The ledgers that have changed since the commits that are known. @throws ActionError if they cannot be read */
  otherLedgers(known: LandLedger["ledgers"]): Promise<OtherLedgers>;
  /** @param since of the first question. @throws ActionError if they cannot be read */
  askedJobs(since: number): ReturnType<typeof readAskedJobs>;
  /** Absent if it is on another host. */
  pull(entry: PullEntry): Promise<Fact<DocsPull>>;
  /** Absent if the service no longer knows it. @throws ActionError if the service refuses the key */
  job(id: string): Promise<Fact<DocsJobPoll>>;
  /** Absent if it is on another host. @param repositoryId the ID of its repository; null if not known */
  stateOf(link: string, repositoryId: number | null): ReturnType<typeof readState>;
  /** The names of the checks that are red on the newest commit of its base. */
  redOnBase(pull: DocsPull): Promise<Fact<readonly string[]>>;
  /** Absent if the service no longer knows it. */
  build(statusId: string): Promise<Fact<PreviewBuild>>;
  /** The files that it changes at its head. */
  files(pull: DocsPull): Promise<Fact<PullFiles>>;
  /** The symbolic links and submodules among some paths at its head. */
  links(pull: DocsPull, paths: readonly string[]): Promise<Fact<readonly string[]>>;
  /** What the rules of its base want. */
  rules(pull: DocsPull): Promise<Fact<BranchRules>>;
  /** The same as `pull`, asked again until GitHub has worked out whether it can be merged, or some seconds are over. */
  settledPull(entry: PullEntry): Promise<Fact<DocsPull>>;
  /** The end of the log of a job that failed. */
  log(entry: PullEntry, pull: DocsPull, check: Check): Promise<Fact<string>>;
  visibility(entry: PullEntry, pull: DocsPull): Promise<VisibleRepositories>;
  readonly people: ReturnType<typeof peopleReads>;
}

/** What a run reads once, although it decides again. */
export function keptReads({ connect }: LandRun): {
  /** The files at a head, and the links among them, do not change. */
  readonly files: Map<string, Fact<PullFiles>>;
  readonly links: Map<string, Fact<readonly string[]>>;
  readonly redOnBase: LandReads["redOnBase"];
} {
  const redOnBase = onceEach(
    async ({ repository, base }: DocsPull) => redChecksOn(await connect(), repository, base),
    ({ repository, base }) => `${repository} ${base}`,
  );
  return { files: new Map(), links: new Map(), redOnBase };
}

export function landReads(run: LandRun, kept: ReturnType<typeof keptReads>): LandReads {
  const askVisibility = visibilities(run.connect);
  const home = { name: run.repository, id: run.repositoryId };
  const visibility = onceEach(
    (entry: PullEntry, pull: DocsPull) => visibilityOf(entry, pull, home, askVisibility),
    urlOf,
  );
  const itself = (key: string) => key;
  return {
    now: () => run.store.now,
    otherLedgers: otherLedgersReader(run),
    askedJobs: onceEach(
      (since: number) => readAskedJobs(since, run),
      (_) => "",
    ),
    pull: onceEach((entry: PullEntry) => readPull(entry, run), urlOf),
    job: onceEach((id: string) => readJob(id, run), itself),
    stateOf: onceEach(
      (link: string, repositoryId: number | null) => readState(link, repositoryId, run),
      (link) => link,
    ),
    redOnBase: kept.redOnBase,
    build: onceEach((statusId: string) => readBuild(statusId, run), itself),
    files: onceEach((pull: DocsPull) => readFiles(pull, kept.files, run), placeOfFiles),
    links: onceEach(
      (pull: DocsPull, paths: readonly string[]) => readLinks(pull, paths, kept.links, run),
      placeOfFiles,
    ),
    rules: onceEach(
      async ({ repository, base: branch }: DocsPull) =>
        await branchRulesAt(await run.connect(), { repository, branch }),
      ({ repository, base }) => `${repository} ${base}`,
    ),
    settledPull: onceEach(
      settledReader((entry) => readPull(entry, run), run),
      urlOf,
    ),
    log: onceEach(
      async (entry: PullEntry, pull: DocsPull, check: Check) => {
        const { inLog } = await visibility(entry, pull);
        return await readLog(entry, pull, check, mayName(inLog, pull.repository), run);
      },
      (_, { repository }, { id }) => `${repository} ${id}`,
    ),
    visibility,
    people: peopleReads(run.connect),
  };
}

function urlOf({ url }: PullEntry): string {
  return url;
}

async function readPull(entry: PullEntry, run: LandRun): Promise<Fact<DocsPull>> {
  if (run.dependencies.cancellation.stop.aborted) throw cancelledRun(ALL_DONE_RECORDED);
  const place = pullRequestAt(entry.url, run.serverUrl);
  if (place === null) return ABSENT;
  const { repositoryId: id } = entry;
  const found = await readPullAt(place.repository, place.number, entry, run);
  if (id === null) return found;
  const isRefused = found.type === "unread" && found.cause === "refused";
  const isOther =
    found.type === "known" && found.value.repositoryId !== null && found.value.repositoryId !== id;
  if (!isRefused && !isOther) return found;
  // Its old name may belong to another repository now, or lead nowhere.
  const github = await run.connect();
  const repository = await github.repositories.byId({ id });
  if (repository.type !== "known") return repository;
  return await readPullAt(repository.value.full_name, place.number, entry, run);
}

async function readPullAt(
  repository: string,
  number: number,
  { updated }: PullEntry,
  { connect, inputs }: LandRun,
): Promise<Fact<DocsPull>> {
  const { allowedCommitters } = inputs;
  const updatedFrom = updated.map(({ head }) => head);
  const place = { repository, number, allowedCommitters, updatedFrom, ownMark: LAND_MARK };
  return await docsPullAt(await connect(), place);
}

async function readJob(id: string, { polls, agent }: LandRun): Promise<Fact<DocsJobPoll>> {
  const job = await polls.poll(agent, id);
  if (job === null) return serviceUnread("it could not be polled", true);
  if (job instanceof ServiceError) return ABSENT;
  return known({ isActive: !hasEnded(job), prLink: job.prLink ? safeLink(job.prLink) : null });
}

function serviceUnread(reason: string, mayPass: boolean): Unread {
  return { type: "unread", cause: "unanswered", reason, isPassing: mayPass, status: null };
}

const STATES = { OPEN: "open", MERGED: "merged", CLOSED: "closed" } as const;

/** What became of a pull request. `base`: the branch that it goes to. */
async function readState(
  link: string,
  id: number | null,
  { connect, serverUrl }: LandRun,
): Promise<
  Fact<{
    readonly state: "open" | "merged" | "closed";
    readonly head: string;
    readonly base: string;
  }>
> {
  const place = pullRequestAt(link, serverUrl);
  if (place === null) return ABSENT;
  const github = await connect();
  const asked = await github.pulls.state({ ...place });
  if (asked.type !== "known") return asked;
  const { databaseId = null, pullRequest } = asked.value.repository;
  if (id !== null && databaseId !== null && databaseId !== id) return OTHER_REPOSITORY;
  const { state, head, base } = pullRequest;
  return known({ state: STATES[state], head, base });
}

const OTHER_REPOSITORY: Unread = {
  type: "unread",
  cause: "unusable",
  reason: "its name belongs to another repository now",
  isPassing: false,
  status: null,
};

async function readBuild(
  statusId: string,
  { builds, dependencies }: LandRun,
): Promise<Fact<PreviewBuild>> {
  const signal = dependencies.cancellation.stop;
  const polled = await orServiceError(builds.get(statusId, { signal }));
  if (polled instanceof ServiceError) {
    dependencies.log.info(`The build of a preview could not be read: ${sentence(polled.message)}`);
    if (isUnknown(polled.failure)) return ABSENT;
    return serviceUnread(polled.message, isPassing(polled));
  }
  const { build } = polled;
  if (build.status === "success") return known({ state: "built" });
  if (build.status !== "failure") return known({ state: "building" });
  return known({ state: "failed", log: endOfBuild(build) });
}

function placeOfFiles({ repository, number, base, head }: DocsPull): string {
  return `${repository} ${number} ${base} ${head}`;
}

async function readFiles(
  pull: DocsPull,
  atHeads: Map<string, Fact<PullFiles>>,
  { connect }: LandRun,
): Promise<Fact<PullFiles>> {
  const place = placeOfFiles(pull);
  const before = atHeads.get(place);
  if (before !== undefined) return before;
  const files = await pullFilesAt(await connect(), pull);
  if (files.type === "known" && files.value.type === "listed") atHeads.set(place, files);
  return files;
}

async function readLinks(
  pull: DocsPull,
  paths: readonly string[],
  atHeads: Map<string, Fact<readonly string[]>>,
  { connect }: LandRun,
): Promise<Fact<readonly string[]>> {
  const place = placeOfFiles(pull);
  const before = atHeads.get(place);
  if (before !== undefined) return before;
  const links = await linksAt(await connect(), pull, paths);
  if (links.type === "known") atHeads.set(place, links);
  return links;
}

/** @param isNamed whether the run's log may name the docs pull request */
async function readLog(
  { url }: PullEntry,
  { repository }: DocsPull,
  { id, name }: Check,
  isNamed: boolean,
  { connect, dependencies }: LandRun,
): Promise<Fact<string>> {
  const log = await jobLog(await connect(), repository, id);
  if (log.type === "unread" && isNamed) {
    const text = `The log of the job ${JSON.stringify(name)} could not be read: ${log.reason}.`;
    dependencies.log.info(`${url}: ${text}`);
  }
  return log;
}
