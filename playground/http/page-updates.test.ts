import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { html } from "../views/html.ts";
import type { Page } from "../views/page.ts";
import { PageUpdates, type UpdateSource } from "./page-updates.ts";

/** A browser that listens. */
class Listener extends EventEmitter {
  readonly messages: string[] = [];
  isEnded = false;
  writeHead(): void {}
  write(message: string): void {
    this.messages.push(message);
  }
  end(): void {
    this.isEnded = true;
  }
  get response(): ServerResponse {
    return this as unknown as ServerResponse;
  }
}

let text = "one";
let version = 1;
let rendered: string[] = [];
let isBroken = false;

const source: UpdateSource = {
  version: async () => {
    if (isBroken) throw new Error("not now");
    return String(version);
  },
  page: async (path): Promise<Page | undefined> => {
    rendered.push(path);
    if (path === "/none") return undefined;
    const main = [{ key: "k", label: undefined, content: html`${path} ${text}` }];
    return { title: "", tab: "", lead: undefined, main, aside: [] };
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  [text, version, rendered, isBroken] = ["one", 1, [], false];
});
afterEach(() => vi.useRealTimers());

const pass = () => vi.advanceTimersByTimeAsync(1000);

function change(to: string): void {
  text = to;
  version += 1;
}

test("whoever looks at a page is sent it at once, and again when it has changed", async () => {
  const updates = new PageUpdates(source);
  const [one, other] = [new Listener(), new Listener()];
  updates.add("/a", one.response);
  await pass();
  expect(one.messages).toHaveLength(1);
  change("two");
  await pass();
  expect(one.messages.at(-1)).toMatch(/^data: \{.*\/a two.*\}\n\n$/);
  updates.add("/b", other.response);
  await pass();
  expect([one.messages.length, other.messages.length]).toEqual([2, 1]);
  updates.close();
  expect([one.isEnded, other.isEnded]).toEqual([true, true]);
});

test("nothing is rendered while nothing happens, and nothing is sent that looks the same", async () => {
  const updates = new PageUpdates(source);
  const listener = new Listener();
  updates.add("/a", listener.response);
  await pass();
  await pass();
  expect(rendered).toEqual(["/a"]);
  version += 1;
  await pass();
  expect([rendered.length, listener.messages.length]).toEqual([2, 1]);
  updates.close();
});

test("nobody is asked anything once every browser has left, nor after the end", async () => {
  const updates = new PageUpdates(source);
  const listener = new Listener();
  updates.add("/a", listener.response);
  await pass();
  listener.emit("close");
  await pass();
  expect(vi.getTimerCount()).toBe(0);
  updates.add("/a", new Listener().response);
  updates.close();
  await pass();
  expect(vi.getTimerCount()).toBe(0);
});

test("two browsers on one page share what is rendered", async () => {
  const updates = new PageUpdates(source);
  updates.add("/a", new Listener().response);
  updates.add("/a", new Listener().response);
  await pass();
  expect(rendered).toEqual(["/a"]);
  updates.close();
});

test("a world that does not answer is asked again, and a page that is not there is passed over", async () => {
  const updates = new PageUpdates(source);
  const [one, other] = [new Listener(), new Listener()];
  isBroken = true;
  updates.add("/none", other.response);
  updates.add("/a", one.response);
  await pass();
  expect(one.messages).toEqual([]);
  isBroken = false;
  await pass();
  expect([one.messages.length, other.messages.length]).toEqual([1, 0]);
  updates.close();
});
