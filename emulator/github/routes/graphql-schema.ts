/** GitHub's own GraphQL schema, as far as a query needs it: to build all of it takes far longer. */

import { readFileSync } from "node:fs";
import type { ASTNode, DefinitionNode, GraphQLSchema } from "graphql";

type Library = Pick<typeof import("graphql"), "buildASTSchema" | "parse" | "visit">;

/** The beginning of a type's definition: its name, and the interfaces that it implements. */
const HEAD = /^(?:type|interface|union|enum|input|scalar) (\w+)(?: implements ([\w &]+))?/;

interface Definitions {
  /** As text, by the name of the type. */
  texts: Map<string, string>;
  /** The names of the types that implement an interface. */
  implementers: Map<string, string[]>;
}

let definitions: Definitions | undefined;

function readDefinitions(): Definitions {
  const url = import.meta.resolve("@octokit/graphql-schema").replace("index.js", "schema.graphql");
  // Its descriptions are two thirds of it.
  const all = readFileSync(new URL(url), "utf8").replaceAll(/"""[\s\S]*?"""/g, "");
  const texts = new Map<string, string>();
  const implementers = new Map<string, string[]>();
  for (const text of all.split(/^(?=[a-z])/m)) {
    const [, name, interfaces = ""] = HEAD.exec(text) ?? [];
    if (name === undefined) continue;
    texts.set(name, text);
    for (const other of interfaces.match(/\w+/g) ?? []) {
      implementers.set(other, [...(implementers.get(other) ?? []), name]);
    }
  }
  return { texts, implementers };
}

/**
 * The schema for a query: without the fields whose names it does not contain, and the types that only they have. So a
 * query is as valid as under all of the schema.
 */
export function schemaFor(query: string, { buildASTSchema, parse, visit }: Library): GraphQLSchema {
  definitions ??= readDefinitions();
  const { texts, implementers } = definitions;
  const words = new Set(query.match(/\w+/g));
  const kept = new Map<string, DefinitionNode>();
  const names = ["Query", "Mutation", ...words];
  const read = (text: string): ASTNode =>
    visit(parse(text, { noLocation: true }), {
      Directive: () => null,
      FieldDefinition: ({ name }) => (words.has(name.value) ? undefined : null),
      NamedType: ({ name }) => {
        names.push(name.value);
      },
    });
  // The list grows while it is read.
  for (const name of names) {
    const text = texts.get(name);
    if (text === undefined || kept.has(name)) continue;
    const document = read(text);
    if (document.kind !== "Document") continue;
    for (const definition of document.definitions) kept.set(name, definition);
    // A query for a node of any type names the type.
    if (name !== "Node") names.push(...(implementers.get(name) ?? []));
  }
  const document = { kind: "Document", definitions: [...kept.values()] };
  return buildASTSchema(document as Parameters<typeof buildASTSchema>[0], { assumeValid: true });
}
