/** Tries the keys, the project and the domain at the service. Nothing is started there. */

import { explainFailure, LIST, type Operation } from "../job/failures.ts";
import { ProxySettingsError } from "../net/proxy.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { valueOrError } from "../runtime/errors.ts";
import { listSessions, readSession } from "../service/agent-v1.ts";
import {
  type Failure,
  isFromBetween,
  isStatus,
  isTooLarge,
  orServiceError,
  ServiceError,
} from "../service/errors.ts";
import { Transport } from "../service/transport.ts";
import { sentence } from "../text/sentence.ts";
import { keyKindOf } from "./check-service.ts";
import type { Facts, ServiceTrial } from "./facts.ts";
import type { DoctorInputs, Judged } from "./inputs.ts";

/** How many of the newest jobs are read. */
const JOBS = 20;

/** Sent if there is no key or no project: the service can be reached if it refuses them. */
const NO_KEY = "there-is-no-key-yet";
const NO_PROJECT = "there-is-no-project-yet";

/** A question to the assistant. */
const ASK: Operation = {
  ...LIST,
  keyType: "assistant",
  keyOwner: "`domain`",
  check: "Check `domain`, and `base-url` if you set it.",
};

export async function readService(
  inputs: DoctorInputs,
  dependencies: Dependencies,
): Promise<{
  facts: Facts["service"];
  /** Addresses of the newest jobs' pull requests, not checked. */
  pullLinks: string[];
}> {
  const { apiKey, projectId, assistantApiKey, domain, baseUrl } = inputs;
  const signal = dependencies.cancellation.stop;
  const pullLinks: string[] = [];
  if (baseUrl.type === "invalid") {
    return { facts: { project: null, isProjectTried: false, assistant: null }, pullLinks };
  }
  const access = (key: string) => ({ baseUrl: baseUrl.value, apiKey: key });
  const isProjectTried = isAdminKey(apiKey) && projectId.type === "valid";
  const project = await tryService(LIST, async () => {
    const key = isAdminKey(apiKey) ? givenOr(apiKey, NO_KEY) : NO_KEY;
    const transport = new Transport(access(key), dependencies);
    const page = { skip: 0, take: JOBS };
    const sessions = await listSessions(transport, givenOr(projectId, NO_PROJECT), page, {
      signal,
    });
    const links = sessions.map((session) => readSession(session)?.pullRequestLink ?? null);
    pullLinks.push(...links.filter((link) => link !== null));
  });
  const isAssistantTried =
    assistantApiKey?.type === "valid" &&
    domain?.type === "valid" &&
    keyKindOf(assistantApiKey.value) !== "admin";
  const assistant = isAssistantTried
    ? await tryService(ASK, async () => {
        const transport = new Transport(access(assistantApiKey.value), dependencies);
        // Without a question, the service can only refuse it, which costs nothing.
        const path = ["discovery", "v1", "assistant", domain.value, "message"];
        await transport.json(path, {}, { signal });
      })
    : null;
  return { facts: { project, isProjectTried, assistant }, pullLinks };
}

function isAdminKey(key: Judged<string>): boolean {
  if (key.type === "invalid") return false;
  const kind = keyKindOf(key.value);
  return kind === "admin" || kind === "unknown";
}

function givenOr(judged: Judged<string>, fallback: string): string {
  return judged.type === "valid" ? judged.value : fallback;
}

async function tryService(
  operation: Operation,
  request: () => Promise<void>,
): Promise<ServiceTrial> {
  const error = await valueOrError(orServiceError(request()), ProxySettingsError);
  if (error instanceof ProxySettingsError) return { type: "proxy", problem: error.message };
  if (!(error instanceof ServiceError)) return { type: "accepted" };
  // The page was answered, and is larger than what is read.
  const failure: Failure = isTooLarge(error) ? { type: "lost" } : error.failure;
  if (isStatus(failure, 400, 422) && !isFromBetween(failure)) return { type: "content-refused" };
  const { kind, problem, advice } = explainFailure(error, operation);
  const said = error.apart === null ? problem : sentence(error.apart.said);
  return { type: "failed", failure, explained: { kind, problem: said, advice } };
}
