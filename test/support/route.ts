import tls from "node:tls";
import { makeCertificate } from "./certificate.ts";
import type { ConnectionOptions } from "./connections.ts";
import { type FaultyServer, startFaultyServer } from "./faulty-server.ts";
import { type ProxyOptions, type RecordingProxy, startProxy } from "./proxy.ts";

/** The ways to a server. Failures must be distinguishable on both. */
export const WAYS = ["directly", "through a proxy"] as const;
export type Way = (typeof WAYS)[number];

/** A host that only the proxy can resolve. */
export const PROXIED = "service.docs-agent.test";

/** A server with TLS, and the way to it. */
export interface Route extends AsyncDisposable {
  readonly url: URL;
  /** The environment variables with which requests take this way. */
  readonly env: Record<string, string>;
  readonly service: FaultyServer;
  /** The proxy, if the way goes through one. */
  readonly proxy: RecordingProxy | null;
}

export interface RouteOptions {
  /** The faults of the service's connections. */
  connections?: ConnectionOptions;
  proxy?: Omit<ProxyOptions, "hosts">;
  /** The key and certificate for connections with the fault `impostor`. */
  impostor?: { key: string; cert: string };
  /** The service's key and certificate. Default: a trusted one for its host. */
  certificate?: { key: string; cert: string };
}

const certificates = new Map<string, { key: string; cert: string }>();

/** A certificate for a host, which this process trusts from now on. */
export function trustedCertificate(host: string): { key: string; cert: string } {
  const certificate = certificates.get(host) ?? makeCertificate(host);
  if (!certificates.has(host)) {
    certificates.set(host, certificate);
    tls.setDefaultCACertificates([...tls.getCACertificates("default"), certificate.cert]);
  }
  return certificate;
}

/** Starts a service, and a proxy if the way goes through one. */
export async function openRoute(way: Way, options: RouteOptions = {}): Promise<Route> {
  await using stack = new AsyncDisposableStack();
  const host = way === "directly" ? "localhost" : PROXIED;
  const certificate = options.certificate ?? trustedCertificate(host);
  const { connections, impostor } = options;
  const service = stack.use(
    await startFaultyServer({
      ...connections,
      tls: certificate,
      ...(impostor === undefined ? {} : { impostor }),
    }),
  );
  const hosts = { [`${PROXIED}:443`]: `127.0.0.1:${service.port}` };
  const proxy =
    way === "directly" ? null : stack.use(await startProxy({ ...options.proxy, hosts }));
  const started = stack.move();
  return {
    url: new URL(proxy === null ? `https://localhost:${service.port}` : `https://${PROXIED}`),
    env: proxy === null ? {} : { HTTPS_PROXY: proxy.url },
    service,
    proxy,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
