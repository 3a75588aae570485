import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { RunOptions } from "../../../emulator/runner/runner.ts";
import { type JobMarker, jobMarkers } from "../../../src/github/conversation/job-marker.ts";
import { json } from "../../support/answers.ts";
import { capture } from "../../support/captured-answer.ts";
import { makeCertificate } from "../../support/certificate.ts";
import {
  type Answer,
  type FaultyServer,
  type FaultyServerOptions,
  startFaultyServer,
} from "../../support/faulty-server.ts";
import { startGitHub, WORKFLOW } from "../../support/github.ts";
import {
  API_KEY,
  CREATE,
  completed,
  MESSAGE,
  POLL,
  record,
  startScenario,
  TOKEN,
} from "../../support/scenario.ts";
import type { Fault } from "./fault.ts";
import type { CellSetup, Row, Times } from "./row.ts";

/** TLS as a runner trusts it, and a host of the same name that it does not. */
const trusted = makeCertificate("localhost");
const impostor = makeCertificate("localhost");
const folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-trust-"));
const authorities = path.join(folder, "authorities.pem");
writeFileSync(authorities, trusted.cert);
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** How long a host that refuses connections once does so, in milliseconds, unless the log mentions it. */
const AWAY = 700;

const LIMITS = { service: 1024 * 1024, github: 32 * 1024 * 1024 };

/** Sets up the servers of a cell; `fault` is null for a run in which nothing goes wrong. */
export async function setUpCell(row: Row, fault: Fault | null, times: Times): Promise<CellSetup> {
  await using stack = new AsyncDisposableStack();
  const absence = new Absence(row, fault, times);
  stack.use(absence);
  const health = { isHealed: false };
  const usual = { oneRequestPerConnection: true };
  const faulty = { ...usual, ...connectionOptions(row, fault, times, absence, health) };
  const [atService, atGitHub] = row.host === "service" ? [faulty, usual] : [usual, faulty];
  const service = stack.use(await startFaultyServer(atService));
  const github = stack.use(await startGitHub("octo/docs", atGitHub));
  const other = stack.use(await startFaultyServer());
  const host = row.host === "service" ? service : github.server;
  absence.host = host;

  const isTls = fault?.way.type === "connection" && fault.way.tls;
  const urls = { service: service.url, github: github.url };
  if (isTls) urls[row.host] = `https://localhost:${host.port}`;
  const setup: CellSetup = {
    service,
    github,
    other,
    options: { ...optionsFor(row, urls), env: isTls ? { NODE_EXTRA_CA_CERTS: authorities } : {} },
    onLine: absence.onLine,
    struck: 0,
    heal: async () => {
      health.isHealed = true;
      host.on(row.route, genuineAnswer(row, setup));
      if (fault?.way.type === "refuse") await host.listenAgain();
    },
    [Symbol.asyncDispose]: async () => {},
  };
  service.on(CREATE, json(201, record("active")));
  service.on(MESSAGE, json(200, record("active")));
  service.on(POLL, json(200, completed));
  await row.arrange?.(setup);
  answerRequest(row, fault, times, setup);
  const resources = stack.move();
  setup[Symbol.asyncDispose] = () => resources.disposeAsync();
  return setup;
}

function genuineAnswer({ genuine }: Row, setup: CellSetup): Answer {
  return genuine?.(setup) ?? setup.github.genuine;
}

/** Says how the row's request is answered. */
function answerRequest(row: Row, fault: Fault | null, times: Times, setup: CellSetup): void {
  const host = row.host === "service" ? setup.service : setup.github.server;
  const genuine = genuineAnswer(row, setup);
  host.on(row.route, genuine);
  if (fault?.way.type !== "answer") return;
  const answer = fault.way.answer({
    work: (exchange) => capture(genuine, exchange),
    other: setup.other.url,
    limit: row.limit ?? LIMITS[row.host],
  });
  const faulty: Answer = (exchange) => {
    setup.struck += 1;
    return answer(exchange);
  };
  if (times === "once") host.on(row.route, faulty, genuine);
  else host.on(row.route, faulty);
}

/** What goes wrong with the connections of the request's host. */
function connectionOptions(
  { before }: Row,
  fault: Fault | null,
  times: Times,
  absence: Absence,
  health: { isHealed: boolean },
): FaultyServerOptions {
  if (fault?.way.type === "refuse") return { refuseAfter: before, onRefusing: absence.begin };
  if (fault?.way.type !== "connection") return {};
  const { way } = fault;
  const isStruck = (nth: number) =>
    !health.isHealed && (times === "once" ? nth === before : nth >= before);
  const certificates = way.tls ? { tls: trusted, impostor } : {};
  return { ...certificates, connectionFault: (nth) => (isStruck(nth) ? way.fault : null) };
}

/** The time in which a host refuses connections once; for good, it does not come back. */
class Absence implements Disposable {
  host: FaultyServer | undefined;
  readonly #isOnce: boolean;
  #timer: NodeJS.Timeout | undefined;

  constructor(row: Row, fault: Fault | null, times: Times) {
    this.#isOnce = fault?.way.type === "refuse" && times === "once";
    // What is read again in silence leaves no line in the log.
    if (row.before === 0 && row.host === "github") this.begin();
  }

  readonly begin = (): void => {
    if (this.#isOnce) this.#timer = setTimeout(() => this.#end(), AWAY);
  };

  readonly onLine = (line: string): void => {
    if (this.#isOnce && line.includes("ECONNREFUSED")) this.#end();
  };

  #end(): void {
    clearTimeout(this.#timer);
    void this.host?.listenAgain();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** What every run of an action is asked for. */
const USUAL: Record<string, Record<string, string>> = {
  root: { "project-id": "docs", prompt: "Document the webhooks." },
  jobs: { "project-id": "docs" },
  collect: { "project-id": "docs" },
  deploy: { "project-id": "docs" },
  assistant: { domain: "acme", question: "How do I rotate a key?" },
};

function optionsFor({ run }: Row, urls: { service: string; github: string }): RunOptions {
  return {
    ...run,
    apiUrl: urls.github,
    token: TOKEN,
    inputs: {
      "api-key": API_KEY,
      "base-url": urls.service,
      ...USUAL[run.action ?? "root"],
      ...run.inputs,
    },
  };
}

let earlierMarker: Promise<JobMarker> | undefined;

/** Puts the comment on issue #7 that an earlier run would have left there at its beginning. */
export async function addEarlierComment({ github }: CellSetup): Promise<void> {
  earlierMarker ??= readEarlierMarker();
  const marker = await earlierMarker;
  const place = { repository: "octo/docs", issue: 7 };
  const write = (id: number) => jobMarkers([API_KEY], "docs").write(place, marker, id);
  await github.addComment(
    7,
    (id) => `### ⏳ Docs agent: the agent is working\n\n${write(id)}`,
    WORKFLOW,
  );
}

/** What an earlier run remembers while its job is at work. */
async function readEarlierMarker(): Promise<JobMarker> {
  await using scenario = await startScenario();
  await scenario.run({ eventName: "schedule", event: {}, inputs: { "issue-number": "7" } });
  const [, payload = ""] = /docs-agent:([\w-]+)/.exec(scenario.github.bodies[0] ?? "") ?? [];
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as JobMarker;
}
