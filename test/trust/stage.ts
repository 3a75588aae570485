import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { makeCertificate } from "../support/certificate.ts";
import { type FakeGithub, startFakeGithub } from "../support/fake-github.ts";
import {
  type FaultyServer,
  type FaultyServerOptions,
  json,
  startFaultyServer,
} from "../support/faulty-server.ts";
import { type Front, startFront } from "../support/front.ts";
import {
  API_KEY,
  CREATE,
  completed,
  LOOK,
  MESSAGE,
  record,
  setScene,
  TOKEN,
} from "../support/scene.ts";
import { capture, type Fault } from "./fault.ts";
import type { Row } from "./row.ts";

/** All that stands around a run in which one request meets a fault. */
export interface Stage extends AsyncDisposable {
  service: FaultyServer;
  github: FakeGithub;
  /** A host that nothing may ever arrive at. */
  other: FaultyServer;
  /** What the run is given. */
  options: RunOptions;
  /** To be called with each line of the log. */
  onLine: (line: string) => void;
}

/** How often a fault strikes. */
export type Times = "once" | "for good";

/** TLS as a runner trusts it, and a host of the same name that it does not. */
const trusted = makeCertificate("localhost");
const impostor = makeCertificate("localhost");
const folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-trust-"));
const authorities = path.join(folder, "authorities.pem");
writeFileSync(authorities, trusted.cert);
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** How long a host that refuses connections once does so, in milliseconds, unless the log tells of it. */
const AWAY = 700;

/** Sets the stage for a cell; `fault` is null for a run in which nothing goes wrong. */
export async function setStage(row: Row, fault: Fault | null, times: Times): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const tls = fault?.way.type === "connection" && fault.way.tls;
  const server = (here: boolean): FaultyServerOptions => ({
    oneRequestPerConnection: true,
    ...(here && tls ? { tls: trusted } : {}),
  });
  const service = stack.use(await startFaultyServer(server(row.host === "service")));
  const github = stack.use(await startFakeGithub("octo/docs", server(row.host === "github")));
  const other = stack.use(await startFaultyServer());

  const stage: Stage = {
    ...{ service, github, other },
    options: optionsFor(row, { service: service.url, github: github.url }),
    onLine: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  service.on(CREATE, json(201, record("active")));
  service.on(MESSAGE, json(200, record("active")));
  service.on(LOOK, json(200, completed));
  await row.arrange?.(stage);
  const genuine = row.genuine(stage);
  const host = row.host === "service" ? service : github.server;
  host.on(row.route, genuine);

  if (fault?.way.type === "answer") {
    const faulty = fault.way.answer({
      work: (exchange) => capture(genuine, exchange),
      other: other.url,
      limit: row.limit,
    });
    if (times === "once") host.on(row.route, faulty, genuine);
    else host.on(row.route, faulty);
  } else if (fault !== null) {
    const front = stack.use(await standBefore(host, row, fault, times, stage, stack));
    const url = `${tls ? "https://localhost" : "http://127.0.0.1"}:${front.port}`;
    const urls = { service: service.url, github: github.url, [row.host]: url };
    stage.options = optionsFor(row, urls);
    if (tls) stage.options.env = { NODE_EXTRA_CA_CERTS: authorities };
  }
  const resources = stack.move();
  stage[Symbol.asyncDispose] = () => resources.disposeAsync();
  return stage;
}

async function standBefore(
  host: FaultyServer,
  { before, host: side }: Row,
  { way }: Fault,
  times: Times,
  stage: Stage,
  stack: AsyncDisposableStack,
): Promise<Front> {
  if (way.type === "refuse") {
    let timer: NodeJS.Timeout | undefined;
    const front = await startFront({
      target: host.port,
      listenFor: before,
      onRefusing: () => {
        if (times === "once") timer = setTimeout(comeBack, AWAY);
      },
    });
    const comeBack = () => {
      clearTimeout(timer);
      void front.listenAgain();
    };
    // What is read again in silence leaves no line in the log.
    if (times === "once" && before === 0 && side === "github") timer = setTimeout(comeBack, AWAY);
    stack.defer(() => clearTimeout(timer));
    stage.onLine = (line) => {
      if (times === "once" && line.includes("ECONNREFUSED")) comeBack();
    };
    return front;
  }
  const handling = way.type === "connection" ? way.handling : "pass";
  const pretender = stack.use(await startFaultyServer({ tls: impostor }));
  const isStruck = (nth: number) => (times === "once" ? nth === before : nth >= before);
  return await startFront({
    target: host.port,
    impostor: pretender.port,
    handle: (nth) => (isStruck(nth) ? handling : "pass"),
  });
}

/** What every run of an action is asked for. */
const USUAL: Record<string, Record<string, string>> = {
  root: { "project-id": "docs", prompt: "Document the webhooks." },
  jobs: { "project-id": "docs" },
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

let leftBehind: Promise<string> | undefined;

/** Puts the comment on issue #7 that an earlier run would have left there at its beginning. */
export async function leaveComment({ github }: Stage): Promise<void> {
  leftBehind ??= writeComment();
  github.addComment(7, await leftBehind, "github-actions[bot]", "Bot");
}

async function writeComment(): Promise<string> {
  await using scene = await setScene();
  await scene.run({ eventName: "schedule", event: {}, inputs: { "issue-number": "7" } });
  return scene.github.bodies[0] ?? "";
}
