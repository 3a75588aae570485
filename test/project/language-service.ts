import { registerHooks } from "node:module";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parse } from "yaml";
import { PROJECT } from "../../scripts/copied/workflows.ts";
import { METADATA, read } from "./files.ts";

// The package imports JSON without an import attribute, which bundlers allow and Node does not.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { validate } = await import("@actions/languageservice");

const WARNING = 2;

/** Makes the URL of each document unique, because the service caches documents by URL. */
let documents = 0;

/**
 * The findings of GitHub's language service in a workflow or an `action.yml`, as `line: text`. It knows the inputs and
 * outputs of this project's actions.
 *
 * @param warnings whether warnings are included
 */
export async function findings(
  file: string,
  text: string,
  { warnings = true }: { warnings?: boolean } = {},
): Promise<string[]> {
  const document = TextDocument.create(`file:///${documents++}/${file}`, "yaml", 1, text);
  const diagnostics = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ owner, name, path = "" }) =>
        `${owner}/${name}` === PROJECT ? metadata(path) : undefined,
    },
  });
  return diagnostics
    .filter(({ severity }) => warnings || severity !== WARNING)
    .map(({ range, message }) => `${range.start.line + 1}: ${message}`)
    .filter((finding) => !isForeign(finding));
}

/** Inputs of other people's actions are not known here. */
function isForeign(finding: string): boolean {
  return /^\d+: Unable to resolve action/.test(finding) && !finding.includes(PROJECT);
}

function metadata(folder: string) {
  const file = folder === "" ? "action.yml" : `${folder}/action.yml`;
  return METADATA.includes(file) ? parse(read(file)) : undefined;
}
