/** Findings about the service: its address, the keys, the project and the domain. */

import { isFromBetween } from "../service/errors.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import type { Facts, ServiceTrial } from "./facts.ts";
import { type Finding, fine, unknown, wrong } from "./findings.ts";
import type { DoctorInputs, Judged } from "./inputs.ts";

/** The kind of a key, by its prefix. A service other than Mintlify's may have any keys. */
export function keyKindOf(key: string): "admin" | "assistant" | "index" | "unknown" {
  if (key.startsWith("mint_dsc_")) return "assistant";
  if (key.startsWith("mint_us_")) return "index";
  return key.startsWith("mint_") ? "admin" : "unknown";
}

const KEYS_PAGE = "https://app.mintlify.com/settings/organization/api-keys";
const ADDRESS = "service-address";

export function checkService({ inputs, service }: Facts): Finding[] {
  return [
    checkAddress(inputs, service.project),
    ...checkKey(inputs, service.project),
    checkProject(inputs, service.project, service.isProjectTried),
    ...checkAssistant(inputs, service.assistant),
  ];
}

function checkAddress({ baseUrl }: DoctorInputs, trial: ServiceTrial | null): Finding {
  if (baseUrl.type === "invalid") {
    return wrong(
      ADDRESS,
      inlineCode(baseUrl.problem, 500),
      "Correct `base-url`, or remove it to use Mintlify.",
    );
  }
  const { origin } = baseUrl.value;
  if (trial?.type === "proxy") {
    return wrong(ADDRESS, trial.problem, "Correct the variable in the runner's environment.");
  }
  if (trial?.type !== "failed") return fine(ADDRESS, `The service at ${origin} answers.`);
  const { failure, explained } = trial;
  const { advice } = explained;
  const problem = `The service at ${origin} does not answer as it should: ${saidIn(trial)}.`;
  const isRedirect = failure.type === "status" && failure.status < 400;
  const isWrong = isRedirect || failure.type === "unreached" || failure.type === "unreadable";
  if (isWrong) return wrong(ADDRESS, problem, advice ?? "Check `base-url`.");
  if (isAnswered(trial)) return fine(ADDRESS, `The service at ${origin} answers.`);
  return unknown(ADDRESS, problem, advice);
}

/** What happened, as code: the service may have written a part of it. */
function saidIn({ explained }: Extract<ServiceTrial, { type: "failed" }>): string {
  return inlineCode(clause(explained.problem), 500);
}

/** Whether the service said something about the request, in place of a failure of its own. */
function isAnswered({ failure, explained }: Extract<ServiceTrial, { type: "failed" }>): boolean {
  if (isFromBetween(failure)) return false;
  return ["unauthorized", "forbidden", "not-found", "bad-request"].includes(explained.kind);
}

function checkKey({ apiKey }: DoctorInputs, trial: ServiceTrial | null): Finding[] {
  const check = "api-key";
  if (apiKey.type === "invalid") return [wrong(check, inlineCode(apiKey.problem, 500), SAVE_KEY)];
  const kind = keyKindOf(apiKey.value);
  if (kind === "assistant" || kind === "index") {
    const problem = `\`api-key\` is an ${kind} key, as its beginning says, and the agent needs an admin key.`;
    return [wrong(check, problem, SAVE_KEY)];
  }
  if (trial?.type === "failed") {
    const { explained } = trial;
    const isRefused = explained.kind === "unauthorized" || explained.kind === "forbidden";
    const problem = `The service refuses the key: ${saidIn(trial)}.`;
    const advice = [explained.advice, `(${KEYS_PAGE})`].filter((part) => part !== null).join(" ");
    if (isRefused) return [wrong(check, problem, advice)];
    // The service looks for the project only with a key that it knows.
    if (explained.kind !== "not-found") return [unknown(check, NOT_NOW)];
  }
  if (trial === null || trial.type === "proxy") return [unknown(check, NOT_NOW)];
  return [
    fine(check, "The service accepts the key, and lets it read."),
    unknown(
      "api-key-write-scope",
      "Whether the key may also start jobs cannot be tried without starting one. If it has scopes, " +
        `it needs \`write\` (${KEYS_PAGE}).`,
    ),
  ];
}

const NOT_NOW = "The service's answer does not show this.";
const SAVE_KEY = [
  `You'll find the admin key on the API keys page: ${KEYS_PAGE}`,
  "(save it with `gh secret set DOCS_API_KEY`, and pass `secrets.DOCS_API_KEY` as `api-key`).",
].join(" ");
const SAVE_PROJECT = [
  `You'll find the project ID on the API keys page: ${KEYS_PAGE}`,
  "(save it with `gh variable set DOCS_PROJECT_ID`, and pass `vars.DOCS_PROJECT_ID` as `project-id`).",
].join(" ");

function checkProject(
  { projectId }: DoctorInputs,
  trial: ServiceTrial | null,
  isTried: boolean,
): Finding {
  const check = "project-id";
  if (projectId.type === "invalid")
    return wrong(check, inlineCode(projectId.problem, 500), SAVE_PROJECT);
  if (!isTried) return unknown(check, "Without a key, the project cannot be looked up.");
  if (trial?.type === "accepted") return fine(check, "The service knows the project.");
  const kind = trial?.type === "failed" ? trial.explained.kind : null;
  if (kind === "unauthorized" || kind === "forbidden") {
    return unknown(check, "The service looks for the project only with a key that it accepts.");
  }
  const isMissing = kind === "not-found";
  const isRefused = trial?.type === "content-refused";
  if (!isMissing && !isRefused) return unknown(check, NOT_NOW);
  return wrong(
    check,
    "The service knows no project with this ID that belongs to the key.",
    SAVE_PROJECT,
  );
}

function checkAssistant(inputs: DoctorInputs, trial: ServiceTrial | null): Finding[] {
  const { assistantApiKey: key, domain } = inputs;
  if (key === null && domain === null) return [];
  return [checkAssistantKey(key, trial), checkDomain(domain, trial)];
}

function checkAssistantKey(key: Judged<string> | null, trial: ServiceTrial | null): Finding {
  const check = "assistant-api-key";
  const advice = `You'll find assistant keys on the API keys page: ${KEYS_PAGE}`;
  if (key === null) {
    return wrong(check, "`domain` is set, and `assistant-api-key` is not, or is empty.", advice);
  }
  if (key.type === "invalid") return wrong(check, inlineCode(key.problem, 500), advice);
  if (keyKindOf(key.value) === "admin" || keyKindOf(key.value) === "index") {
    const problem = "`assistant-api-key` is not an assistant key: those begin with `mint_dsc_`.";
    return wrong(check, problem, advice);
  }
  if (trial?.type === "accepted" || trial?.type === "content-refused") {
    return fine(check, "The service accepts the assistant's key.");
  }
  if (trial?.type !== "failed") return unknown(check, NOT_NOW);
  const { kind } = trial.explained;
  const problem = `The service refuses the assistant's key: ${saidIn(trial)}.`;
  const isRefused = kind === "unauthorized" || kind === "forbidden";
  // The service looks for the domain only with a key that it knows.
  if (kind === "not-found") return fine(check, "The service accepts the assistant's key.");
  return isRefused ? wrong(check, problem, advice) : unknown(check, NOT_NOW);
}

function checkDomain(domain: Judged<string> | null, trial: ServiceTrial | null): Finding {
  const check = "domain";
  const advice =
    "It is the last part of the URL of Mintlify's dashboard: https://dashboard.mintlify.com/ORGANIZATION/DOMAIN";
  if (domain === null) {
    return wrong(check, "`assistant-api-key` is set, and `domain` is not, or is empty.", advice);
  }
  if (domain.type === "invalid") return wrong(check, inlineCode(domain.problem, 500), advice);
  if (trial?.type === "failed" && trial.explained.kind === "not-found") {
    return wrong(check, "The service knows no such domain.", advice);
  }
  if (trial?.type === "accepted") return fine(check, "The service knows the domain.");
  if (trial?.type !== "content-refused") return unknown(check, NOT_NOW);
  return unknown(
    check,
    "The service refused an empty question, which costs nothing, and did not say that it does " +
      "not know the domain. Only a question, which costs credits, would show it.",
  );
}
