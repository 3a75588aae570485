/** The engine, its store and the program of the model, as they are or with a rule taken out of their source. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as engine from "../../../src/ledger/engine.ts";
import * as store from "../../../src/ledger/store.ts";
import * as program from "./item-program.ts";

/** What a run is made of. */
export interface Protocol {
  Engine: typeof engine.Engine;
  Recorder: typeof engine.Recorder;
  LedgerStore: typeof store.LedgerStore;
  ItemProgram: typeof program.ItemProgram;
  itemFormat: typeof program.itemFormat;
}

export const PROTOCOL = protocolOf(engine, store, program);

function protocolOf(
  { Engine, Recorder }: typeof engine,
  { LedgerStore }: typeof store,
  { ItemProgram, itemFormat }: typeof program,
): Protocol {
  return { Engine, Recorder, LedgerStore, ItemProgram, itemFormat };
}

const SOURCES = {
  engine: new URL("../../../src/ledger/engine.ts", import.meta.url),
  store: new URL("../../../src/ledger/store.ts", import.meta.url),
  program: new URL("./item-program.ts", import.meta.url),
};

/** Another text in place of one that is in a source exactly once. */
export interface Edit {
  source: keyof typeof SOURCES;
  text: string;
  by: string;
}

/** Imports the protocol with these edits. */
export async function edited(edits: readonly Edit[]): Promise<Protocol> {
  const folder = await mkdtemp(join(tmpdir(), "ledger-model-"));
  try {
    for (const [name, url] of Object.entries(SOURCES)) {
      let source = await readFile(url, "utf8");
      for (const { text, by } of edits.filter(({ source }) => source === name)) {
        const parts = source.split(text);
        if (parts.length !== 2) throw new Error(`${parts.length - 1} times in ${name}: ${text}`);
        source = parts.join(by);
      }
      await writeFile(join(folder, basename(url.pathname)), withAbsoluteImports(source, url));
    }
    const load = (file: string) => import(pathToFileURL(join(folder, file)).href);
    return protocolOf(
      await load("engine.ts"),
      await load("store.ts"),
      await load("item-program.ts"),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The copies import each other, and everything else from where it is. */
function withAbsoluteImports(source: string, url: URL): string {
  const copied = Object.values(SOURCES).map(({ href }) => href);
  return source.replace(/(?<= from ")\.[^"]+(?=";)/g, (path) => {
    const target = new URL(path, url);
    return copied.includes(target.href) ? `./${basename(target.pathname)}` : target.href;
  });
}
