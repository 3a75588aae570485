import { registerHooks } from "node:module";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parse } from "yaml";
import { METADATA, PROJECT, read } from "./files.ts";

// The package imports JSON without saying so, as bundlers allow and Node does not.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { validate } = await import("@actions/languageservice");

const WARNING = 2;

/** It remembers documents by their address; each gets one of its own. */
let documents = 0;

/**
 * What GitHub's language service has to say of a workflow or an `action.yml`, each finding as `line: text`.
 * It knows the inputs and outputs of this project's own actions.
 *
 * @param warnings whether what may be wrong counts too, and not only what is
 */
export async function findings(
  file: string,
  text: string,
  { warnings = true }: { warnings?: boolean } = {},
): Promise<string[]> {
  const document = TextDocument.create(`file:///${documents++}/${file}`, "yaml", 1, text);
  const found = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ owner, name, path = "" }) =>
        `${owner}/${name}` === PROJECT ? metadata(path) : undefined,
    },
  });
  return found
    .filter(({ severity }) => warnings || severity !== WARNING)
    .map(({ range, message }) => `${range.start.line + 1}: ${message}`)
    .filter((it) => !isForeign(it));
}

/** What other people's actions take is not known here. */
function isForeign(finding: string): boolean {
  return /^\d+: Unable to resolve action/.test(finding) && !finding.includes(PROJECT);
}

function metadata(folder: string) {
  const file = folder === "" ? "action.yml" : `${folder}/action.yml`;
  return METADATA.includes(file) ? parse(read(file)) : undefined;
}
