/** The servers of a world: the emulated GitHub and the emulated service, with the answers that a test sets instead. */

import { createEmulator } from "emulate";
import type { GitHub } from "../../../emulator/github/github.ts";
import { docsService } from "../../../emulator/service/index.ts";
import type { Service } from "../../../emulator/service/service.ts";
import type { ServiceState } from "../../../emulator/service/state.ts";
import {
  type Answer,
  type FaultyServer,
  type FaultyServerOptions,
  type RecordedRequest,
  startFaultyServer,
} from "../faulty-server.ts";
import { targetOf } from "../routes.ts";

/** The hosts of a world. */
export type Host = "github" | "service";

/** The short form of a request: `METHOD /path` to GitHub, and `METHOD service /path` to the service. */
export function nameOf(host: Host, request: RecordedRequest): string {
  const target = targetOf(request);
  return host === "github" ? target : target.replace(" ", " service ");
}

/** The host of a route in the short form. */
export function hostOf(route: string): Host {
  return route.includes(" service /") ? "service" : "github";
}

export interface HostOptions {
  github?: FaultyServerOptions;
  service?: FaultyServerOptions;
}

/** The emulated GitHub behind a server, and the bodies of all comments that it took, in order. */
export async function serveGitHub(
  emulated: GitHub,
  options: FaultyServerOptions = {},
): Promise<{ server: FaultyServer; genuine: Answer; bodies: string[] }> {
  const bodies: string[] = [];
  const genuine: Answer = ({ request: { method, path, headers, body }, response }) => {
    const { authorization, accept } = headers;
    const answer = emulated.handle({
      method,
      path,
      headers: { authorization, accept },
      body: body.toString(),
    });
    const isComment = /^(POST|PATCH) \S+\/comments(\/\d+)?$/.test(`${method} ${path}`);
    if (answer.status < 300 && isComment) bodies.push(JSON.parse(body.toString()).body);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  };
  const server = await startFaultyServer({ ...options, fallback: genuine });
  emulated.site.apiUrl = server.url;
  emulated.site.webUrl = server.url;
  return { server, genuine, bodies };
}

/** The emulated service behind a server. @param now its clock */
export async function serveService(
  github: GitHub,
  seed: ServiceState,
  now: () => number,
  options: FaultyServerOptions = {},
): Promise<{
  server: FaultyServer;
  genuine: Answer;
  service: Service;
  close: () => Promise<void>;
}> {
  const started = Promise.withResolvers<Service>();
  const emulator = await createEmulator({
    service: docsService(github, started.resolve, now),
    inspector: false,
    listen: false,
    seed,
  });
  const genuine: Answer = async ({ request, response }) => {
    const { method, path, headers, body } = request;
    const answer = await emulator.fetch(
      new Request(new URL(path, server.url), {
        method,
        headers: new Headers(headers as Record<string, string>),
        ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const piece of answer.body ?? []) {
      if (response.destroyed) return;
      response.write(piece);
    }
    response.end();
  };
  const server = await startFaultyServer({ ...options, fallback: genuine });
  return { server, genuine, service: await started.promise, close: () => emulator.close() };
}
