import { isLoopback } from "../text/link.ts";

/** Environment variables by name, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A proxy from an environment variable. */
export interface ProxyServer {
  /** The variable's name, for messages. Its value may contain a password. */
  variable: string;
  /** `http:` or `https:`, without user and password. */
  address: URL;
  /** The `Proxy-Authorization` header, if the variable contains a user name or a password. */
  authorization: string | undefined;
}

/** An invalid proxy setting. The message contains the name of the variable, but never its value. */
export class ProxySettingsError extends Error {
  override readonly name = "ProxySettingsError";

  constructor(variable: string) {
    super(
      [
        `${variable} is not a valid proxy URL.`,
        "Use http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, or the same with https://,",
        "and percent-encode special characters: write % as %25.",
      ].join(" "),
    );
  }
}

/** A proxy did not open a tunnel. The message says why. */
export class TunnelError extends Error {
  override readonly name = "TunnelError";
}

/**
 * The proxy for requests to a URL; null if they are sent directly. Requests to this machine never use a proxy, and only
 * they may use `http:`.
 *
 * @throws ProxySettingsError
 */
export function proxyFor(url: URL, env: Env): ProxyServer | null {
  if (url.protocol === "http:" || isLoopback(url)) return null;
  // As in curl, lower case comes first.
  for (const variable of ["https_proxy", "HTTPS_PROXY"]) {
    const value = env[variable]?.trim();
    if (value === undefined || value === "") continue;
    return isExempt(url, env.no_proxy ?? env.NO_PROXY) ? null : readProxy(variable, value);
  }
  return null;
}

/**
 * Whether `NO_PROXY` excludes a URL. Its entries are separated by commas or white space. An entry is `*`, or a host,
 * which includes its subdomains. Each entry may end in a port.
 */
function isExempt({ hostname, port }: URL, noProxy: string | undefined): boolean {
  if (noProxy === undefined) return false;
  const host = hostname.replace(/\.$/, "");
  const domains = host.split(".").map((_, index, labels) => labels.slice(index).join("."));
  const names = ["*", ...domains.flatMap((domain) => [domain, `.${domain}`, `*.${domain}`])];
  const bareIpv6 = host.replace(/^\[|\]$/g, "");
  const exempt = new Set([...names, ...names.map((name) => `${name}:${port || 443}`), bareIpv6]);
  const entries = noProxy.toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => exempt.has(entry.replace(/\.$/, "")));
}

/** @param text the value of the variable */
function readProxy(variable: string, text: string): ProxyServer {
  try {
    // As in curl, a proxy without a scheme uses http:.
    const url = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    const isAddress =
      /^https?:$/.test(url.protocol) && url.pathname + url.search + url.hash === "/";
    // The URL's parts are percent-encoded.
    const credentials = [url.username, url.password].map(decodeURIComponent).join(":");
    if (isAddress) {
      const encoded = Buffer.from(credentials).toString("base64");
      const authorization = credentials === ":" ? undefined : `Basic ${encoded}`;
      return { variable, address: new URL(url.origin), authorization };
    }
  } catch {
    // Neither the URL nor the error may be shown: they contain the password.
  }
  throw new ProxySettingsError(variable);
}
