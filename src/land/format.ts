/** The file `ledger.json` of land: how it becomes a {@link LandLedger} and back. */

import * as z from "zod/mini";
import { mergedChange } from "../batches/model/schema.ts";
import { formatOf, type LedgerFormat, ledgerFile, link, orEmpty, orNull } from "../ledger/file.ts";
import type { Entry, Intent, LandLedger, Preview } from "./ledger.ts";
import { PROBLEM_TYPES } from "./reason-kinds.ts";
import { reasonSchema } from "./reasons.ts";

const text = z._default(z.string(), "");
const linkOrEmpty = z.union([z.literal(""), link]);
const flag = z._default(z.boolean(), false);

const problemCounts = z.partialRecord(z.enum(PROBLEM_TYPES), z.number());

const followUp = z.object({
  at: z.string(),
  about: problemCounts,
  head: z.string(),
  isUncertain: z.boolean(),
});

const intent = z.object({
  run: z.string(),
  at: z.string(),
  followUp: z.nullable(
    z.object({ about: problemCounts, head: z.string(), news: z.array(z.string()) }),
  ),
  circumstances: z.nullable(z.string()),
});

const refused = z.object({
  act: z.enum(["merge", "close"]),
  at: z.string(),
  circumstances: z.string(),
  reason: reasonSchema,
});

/** All states have all fields. Fields that a state does not use are empty. */
const preview = z.object({
  head: z.string(),
  statusId: z.string(),
  url: z.string(),
  state: z.enum(["building", "built", "failed", "refused", "forgotten"]),
  /** Why a preview was refused. */
  log: z.string(),
});

/** What is not known is empty or left out. */
const entry = z.object({
  url: link,
  repositoryId: z._default(z.nullable(z.int()), null),
  jobId: z.string(),
  changes: z.array(mergedChange),
  askedAt: linkOrEmpty,
  codePull: z.string(),
  openedAt: text,
  head: text,
  foundAt: z.string(),
  headAt: z.string(),
  unreadFrom: text,
  agent: text,
  isEditedByOthers: flag,
  isSetUp: flag,
  asked: z._default(z.array(z.string()), []),
  comment: z._default(z.nullable(z.object({ digest: z.string() })), null),
  preview: z._default(z.nullable(preview), null),
  followUps: z._default(z.array(followUp), []),
  sent: z._default(z.array(z.string()), []),
  isClosedToFollowUps: flag,
  isClosedToComments: flag,
  refused: z._default(z.nullable(refused), null),
  isReminded: flag,
  updated: z._default(z.array(z.object({ head: z.string(), headAt: z.string() })), []),
  queued: text,
  needs: z._default(z.nullable(reasonSchema), null),
  intent: z._default(z.nullable(intent), null),
});

const ended = z.object({
  url: link,
  state: z.enum(["merged", "closed"]),
  openedAt: z.string(),
  endedAt: z.string(),
  isEditedByOthers: z.boolean(),
  changes: z.number(),
  followUps: z.array(z.string()),
});

const unbuilt = z.object({
  url: link,
  intent: z.nullable(z.object({ run: z.string(), at: z.string() })),
});

const landLedgerFile = z.extend(ledgerFile, {
  ledgers: z.record(z.string(), z.string()),
  requests: z._default(z.record(z.string(), z.record(z.string(), z.number())), {}),
  commentsFrom: z.string(),
  jobs: z.array(z.object({ id: z.string(), askedAt: linkOrEmpty, at: z.string() })),
  open: z.array(entry),
  ended: z.array(ended),
  unbuilt: z._default(z.array(unbuilt), []),
});

export type LandLedgerFile = z.infer<typeof landLedgerFile>;
type EntryFile = z.infer<typeof entry>;
type PreviewFile = z.infer<typeof preview>;

export function landFormat(project: string): LedgerFormat<LandLedger> {
  const begin: LandLedger = {
    version: 1,
    action: "land",
    project,
    writes: 0,
    historyFiles: [],
    ledgers: {},
    requests: {},
    commentsFrom: null,
    jobs: [],
    open: [],
    ended: [],
    unbuilt: [],
  };
  return formatOf(begin, landLedgerFile, decode, encode);
}

function decode(file: LandLedgerFile): LandLedger {
  return {
    ...file,
    commentsFrom: Number.isNaN(Date.parse(file.commentsFrom)) ? null : file.commentsFrom,
    jobs: file.jobs.map((job) => ({ ...job, askedAt: orNull(job.askedAt) })),
    open: file.open.map(entryIn),
    ended: file.ended.map((pull) => ({ ...pull, openedAt: orNull(pull.openedAt) })),
    unbuilt: file.unbuilt.map(({ url, intent: starting }) => {
      return { url, intent: starting && { decision: starting.run, at: starting.at } };
    }),
  };
}

function entryIn({ openedAt, head, ...file }: EntryFile): Entry {
  return {
    ...file,
    askedAt: orNull(file.askedAt),
    codePull: orNull(file.codePull),
    lastRead: head === "" ? null : { openedAt, head },
    unreadFrom: orNull(file.unreadFrom),
    agent: orNull(file.agent),
    preview: file.preview && previewIn(file.preview),
    queued: orNull(file.queued),
    intent: file.intent && intentIn(file.intent),
  };
}

function previewIn({ head, statusId, url, state, log }: PreviewFile): Preview {
  if (state === "forgotten") return { head, state };
  if (state === "refused") return { head, state, words: log };
  return { head, state, statusId, url };
}

function intentIn({ run: decision, followUp: sent, ...own }: z.infer<typeof intent>): Intent {
  if (sent === null) return { ...own, decision, followUp: null };
  const { about, head, news: problems } = sent;
  return { ...own, decision, followUp: { about, head, problems } };
}

function encode(ledger: LandLedger): LandLedgerFile {
  return {
    ...ledger,
    historyFiles: [...ledger.historyFiles],
    commentsFrom: orEmpty(ledger.commentsFrom),
    jobs: ledger.jobs.map((job) => ({ ...job, askedAt: orEmpty(job.askedAt) })),
    open: ledger.open.map(entryOut),
    ended: ledger.ended.map((pull) => ({
      ...pull,
      openedAt: orEmpty(pull.openedAt),
      followUps: [...pull.followUps],
    })),
    unbuilt: ledger.unbuilt.map(({ url, intent: starting }) => {
      return { url, intent: starting && { run: starting.decision, at: starting.at } };
    }),
  };
}

function entryOut(entry: Entry): EntryFile {
  const { url, repositoryId, jobId, changes, askedAt, codePull, lastRead, ...pull } = entry;
  return {
    url,
    repositoryId,
    jobId,
    changes: [...changes],
    askedAt: orEmpty(askedAt),
    codePull: orEmpty(codePull),
    openedAt: lastRead?.openedAt ?? "",
    head: lastRead?.head ?? "",
    ...pull,
    unreadFrom: orEmpty(pull.unreadFrom),
    agent: orEmpty(pull.agent),
    asked: [...pull.asked],
    preview: pull.preview && previewOut(pull.preview),
    followUps: [...pull.followUps],
    sent: [...pull.sent],
    updated: [...pull.updated],
    queued: orEmpty(pull.queued),
    intent: pull.intent && intentOut(pull.intent),
  };
}

function previewOut(shown: Preview): PreviewFile {
  const { head, state } = shown;
  if (state === "forgotten") return { head, statusId: "", url: "", state, log: "" };
  if (state === "refused") return { head, statusId: "", url: "", state, log: shown.words };
  const { statusId, url } = shown;
  return { head, statusId, url, state, log: "" };
}

function intentOut({ decision: run, followUp: sent, ...own }: Intent): z.infer<typeof intent> {
  if (sent === null) return { ...own, run, followUp: null };
  const { about, head, problems } = sent;
  return { ...own, run, followUp: { about, head, news: [...problems] } };
}
