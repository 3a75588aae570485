import { describe, expect, test } from "vitest";
import { isLoopback } from "../text/link.ts";
import { type Env, ProxySettingsError, proxyFor } from "./proxy.ts";

/** The proxy's address for a URL, or `direct`. */
function route(url: string, env: Env): string {
  return proxyFor(new URL(url), env)?.address.host ?? "direct";
}

describe("which variable counts", () => {
  test.each([
    ["https://service.test", { HTTPS_PROXY: "http://a:1" }, "a:1"],
    ["https://service.test", { https_proxy: "http://a:1" }, "a:1"],
    ["https://service.test", { https_proxy: "http://a:1", HTTPS_PROXY: "http://b:1" }, "a:1"],
    ["https://service.test", { https_proxy: " ", HTTPS_PROXY: "http://b:1" }, "b:1"],
    ["https://service.test", { HTTP_PROXY: "http://a:1" }, "direct"],
    ["http://service.test", { HTTPS_PROXY: "http://a:1" }, "direct"],
    ["https://service.test", {}, "direct"],
    ["https://service.test", { HTTPS_PROXY: undefined }, "direct"],
  ])("%s with %o: %s", (url, env, expected) => {
    expect(route(url, env)).toBe(expected);
  });

  test("its name goes along, for messages", () => {
    const url = new URL("https://service.test");
    expect(proxyFor(url, { https_proxy: "http://a:1" })?.variable).toBe("https_proxy");
    expect(proxyFor(url, { HTTPS_PROXY: "http://a:1" })?.variable).toBe("HTTPS_PROXY");
  });
});

test.each([
  "http://localhost:8080",
  "https://localhost",
  "http://LOCALHOST",
  "http://127.0.0.1:8080",
  "http://127.1",
  "https://127.255.0.3",
  "http://[::1]:8080",
  "https://[0:0:0:0:0:0:0:1]",
])("%s is this machine itself: never behind a proxy, not even one that cannot be read", (url) => {
  // What inputs take for this machine may be http:, so the two have to agree.
  expect(isLoopback(new URL(url))).toBe(true);
  for (const value of ["http://a:1", "socks5://a:1"]) {
    const env = { HTTP_PROXY: value, http_proxy: value, HTTPS_PROXY: value, https_proxy: value };
    expect(route(url, { ...env, NO_PROXY: "elsewhere.test" })).toBe("direct");
  }
});

describe("NO_PROXY", () => {
  test.each([
    ["*", "direct"],
    ["other.test, *", "direct"],
    ["service.test", "direct"],
    ["SERVICE.test", "direct"],
    ["service.test.", "direct"],
    ["other.test,service.test", "direct"],
    ["other.test service.test", "direct"],
    ["test", "direct"],
    [".test", "direct"],
    ["*.test", "direct"],
    [".service.test", "direct"],
    ["service.test:443", "direct"],
    ["*:443", "direct"],
    ["service.test:8443", "proxy:1"],
    ["ervice.test", "proxy:1"],
    ["api.service.test", "proxy:1"],
    ["service.testing", "proxy:1"],
    ["", "proxy:1"],
    [",", "proxy:1"],
    [".", "proxy:1"],
  ])("%j: %s", (list, expected) => {
    expect(route("https://service.test", { HTTPS_PROXY: "http://proxy:1", NO_PROXY: list })).toBe(
      expected,
    );
  });

  test.each([
    ["https://[2001:db8::7]", "2001:db8::7", "direct"],
    ["https://[2001:db8::7]", "[2001:db8::7]", "direct"],
    ["https://[2001:db8::7]", "[2001:db8::7]:443", "direct"],
    ["https://[2001:db8::7]", "[2001:db8::7]:444", "proxy:1"],
    ["https://[2001:db8::7]", "2001:db8::8", "proxy:1"],
    ["https://192.0.2.7:8443", "192.0.2.7", "direct"],
    ["https://192.0.2.7:8443", "192.0.2.7:8443", "direct"],
    ["https://service.test.", "service.test", "direct"],
  ])("%s with %j: %s", (url, list, expected) => {
    expect(route(url, { HTTPS_PROXY: "http://proxy:1", NO_PROXY: list })).toBe(expected);
  });

  test("in lower case it goes first, even when it is empty", () => {
    const env = { HTTPS_PROXY: "http://proxy:1", NO_PROXY: "*" };
    expect(route("https://service.test", { ...env, no_proxy: "other.test" })).toBe("proxy:1");
    expect(route("https://service.test", { ...env, no_proxy: "" })).toBe("proxy:1");
  });
});

describe("how a proxy is written", () => {
  const read = (value: string) =>
    proxyFor(new URL("https://service.test"), { HTTPS_PROXY: value }) ?? null;

  test.each([
    ["http://proxy.example:3128", "http://proxy.example:3128/"],
    ["http://proxy.example:3128/", "http://proxy.example:3128/"],
    ["  http://proxy.example:3128\n", "http://proxy.example:3128/"],
    ["HTTPS://proxy.example", "https://proxy.example/"],
    ["http://[2001:db8::7]:3128", "http://[2001:db8::7]:3128/"],
    ["proxy.example:3128", "http://proxy.example:3128/"],
    ["proxy.example", "http://proxy.example/"],
    ["10.0.0.1:3128", "http://10.0.0.1:3128/"],
    ["robot:secret@proxy.example:3128", "http://proxy.example:3128/"],
  ])("%j", (value, address) => {
    expect(read(value)?.address.href).toBe(address);
  });

  test.each([
    ["http://proxy:1", undefined],
    ["http://robot:secret@proxy:1", "robot:secret"],
    ["robot:secret@proxy:1", "robot:secret"],
    ["http://robot@proxy:1", "robot:"],
    ["http://:secret@proxy:1", ":secret"],
    ["http://r%40bot:p%25%3a%23@proxy:1", "r@bot:p%:#"],
    ["http://rob%C3%B6t:geheim@proxy:1", "roböt:geheim"],
  ])("user and password of %s: %s", (value, expected) => {
    const [scheme = "", encoded = ""] = read(value)?.authorization?.split(" ") ?? [];
    expect(scheme).toBe(expected === undefined ? "" : "Basic");
    expect(Buffer.from(encoded, "base64").toString()).toBe(expected ?? "");
  });

  test.each([
    "socks5://S3cr3t:1080",
    "ftp://S3cr3t",
    "http://robot:S3cr3t%@proxy:1",
    "http://robot:%zzS3cr3t@proxy:1",
    "http://rob%ff:S3cr3t@proxy:1",
    "http://S3cr3t%host:1",
    "http://S3cr3t:99999",
    "http://robot:S3cr3t#1@proxy:1",
    "http://robot:1/S3cr3t@proxy:1",
    "http://robot:1?S3cr3t@proxy:1",
    "http:/S3cr3t:1",
    "S3cr3t proxy",
    "http://",
    "://S3cr3t",
  ])("%j is an error that names the variable and never the value", (value) => {
    expect(() => read(value)).toThrow(ProxySettingsError);
    expect(() => read(value)).toThrow(/^HTTPS_PROXY is not a valid proxy URL\. Use http:/);
    expect(() => read(value)).not.toThrow(/s3cr3t|robot/i);
  });

  test("a proxy that nothing goes through is not read", () => {
    const env = { HTTPS_PROXY: "socks5://a", NO_PROXY: "exempt.test" };
    expect(route("https://exempt.test", env)).toBe("direct");
    expect(() => route("https://service.test", env)).toThrow("HTTPS_PROXY");
  });
});
