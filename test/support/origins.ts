/** Which hosts the bundles connect to, compared with the table of origins in docs/security.md (scripts/origins.ts). */

import { AsyncLocalStorage } from "node:async_hooks";
import net from "node:net";
import { logOrigin } from "../../emulator/github/routes/jobs.ts";
import type { Origin } from "../../scripts/origins.ts";

/** What the bundle that runs has connected to, each as `host:port`. */
const contacted = new AsyncLocalStorage<Set<string>>();

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  // Called with options, or with what Node has made of them for itself.
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const { host = "localhost", port = "" } = Object(first);
  contacted.getStore()?.add(`${host}:${port}`);
  return Reflect.apply(connect, this, args);
};

/** Starts a bundle inside this process, and adds all that it connects to from then on. */
export function recordingHosts<T>(hosts: Set<string>, start: () => T): T {
  return contacted.run(hosts, start);
}

/** What decides where an action may connect to. */
interface Surroundings {
  readonly action: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The hosts, with their ports, that an action may connect to, by origin. Only land reads logs. */
export function hostsOf({ action, env }: Surroundings): Partial<Record<Origin, string>> {
  const { HTTPS_PROXY: proxy, "INPUT_BASE-URL": service, "INPUT_GITHUB-API-URL": github } = env;
  return {
    ...(proxy === undefined ? {} : { proxy: hostIn(proxy) }),
    ...(service === undefined ? {} : { service: hostIn(service) }),
    ...(github === undefined ? {} : { github: hostIn(github) }),
    ...(action === "land" && github !== undefined && URL.canParse(github)
      ? { logs: hostIn(logOrigin(github)) }
      : {}),
  };
}

/** Host and port of a URL. */
function hostIn(url: string): string {
  const { hostname, protocol, port } = URL.parse(url) ?? new URL("http://none.invalid");
  const usual = protocol === "http:" ? "80" : "443";
  return `${hostname.replace(/^\[|\]$/g, "")}:${port || usual}`;
}

/** Those of the hosts that the table of origins does not have. */
export function hostsBesideOrigins(hosts: ReadonlySet<string>, where: Surroundings): string[] {
  const known = Object.values(hostsOf(where));
  return [...hosts].filter((host) => !known.includes(host));
}
