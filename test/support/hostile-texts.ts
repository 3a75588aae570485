/**
 * Texts that imitate syntax: workflow commands, HTML, links, mentions, markers, lines of a command file. Tests send
 * them through every field that comes from outside.
 */

/** Part of every hostile text. Wherever it appears, there is text from outside. */
export const CANARY = "h0stile";

const COMMANDS = [
  `::set-output name=jobId::${CANARY}`,
  `::set-output name=extra::${CANARY}`,
  `::save-state name=run::${CANARY}`,
  `::set-env name=NODE_OPTIONS::--require=/${CANARY}.js`,
  `::add-path::/${CANARY}/bin`,
  `::add-mask::${CANARY}`,
  `::stop-commands::${CANARY}`,
  `::error file=docs/index.md,line=1,title=${CANARY}::${CANARY}`,
  `::warning title=${CANARY}::%0A${CANARY}%0D%25`,
  `::notice::${CANARY}`,
  `::debug::${CANARY}`,
  `::group::${CANARY}`,
  `::endgroup::${CANARY}`,
  `::echo::on ${CANARY}`,
  `::add-matcher::${CANARY}.json`,
  `::ERROR::${CANARY}`,
  `##[error]${CANARY}`,
  `##[set-env name=NODE_OPTIONS;x=1]--require=/${CANARY}.js`,
  `${CANARY} in a line ##[add-mask]${CANARY}`,
  `##[##[error]${CANARY}`,
  `###[error]${CANARY}`,
];

/** Characters after which a runner, a terminal or a careless filter may see the beginning of a line. */
const BEGINNINGS = [
  "\n",
  "\r",
  "\r\n",
  "\n\r",
  "\u0085",
  "\u2028",
  "\u2029",
  "\v",
  "\f",
  "\u001C",
  "\u001E",
  " ",
  "\t",
  "\u00A0",
  "\u1680",
  "\u2003",
  "\u2007",
  "\u202F",
  "\u205F",
  "\u3000",
  "\u180E",
  "\uFEFF",
  "\u200B",
  "\u2060",
  "\u00AD",
  "\u202E",
  "\u2066",
  "\u0000",
  "\u0008",
  "\u007F",
  "\u001B[0m",
  "\u001B[2K\r",
  "\u009B31m",
  "\u001B]0;t\u0007",
  "%0A",
  "%0D%0A",
];

const SPLIT_COMMANDS = [
  `:\u0000:error::${CANARY}`,
  `:\u202E:error::${CANARY}`,
  `:\u001B[m:error::${CANARY}`,
  `#\u001B[31m#[error]${CANARY}`,
  `#\u0007#[error]${CANARY}`,
  `##\u2066[error]${CANARY}`,
  `:\r:error::${CANARY}`,
];

const TERMINAL = [
  `\u001B[2J\u001B[1;31m${CANARY}\u001B[0m`,
  `\u001B]8;;https://${CANARY}.example\u001B\\${CANARY}\u001B]8;;\u001B\\`,
  `\u001B]0;${CANARY}\u0007 \u001B[1A\u001B[2K ${CANARY}`,
  `${CANARY}\b\b\b\b\b\b\b\u0007\u000E\u001BPq${CANARY}\u001B\\`,
];

const HTML = [
  `<script>${CANARY}</script>`,
  `<img src=x onerror=${CANARY}>`,
  `<img src="https://${CANARY}.example/p.png">`,
  `<a href="javascript:${CANARY}">x</a>`,
  `<details><summary>${CANARY}</summary>`,
  `</details></code></pre></p><h1>${CANARY}</h1>`,
  `<!-- ${CANARY} -->`,
  `<!-- ${CANARY}`,
  `<!--> ${CANARY} --!>`,
  `--> ${CANARY}`,
  `<![CDATA[${CANARY}]]><?${CANARY}?><!X ${CANARY}>`,
  `<svg/onload=${CANARY}><style>*{display:none}</style>`,
  `&lt;b&gt;${CANARY}&#60;i&#x3e;&#64;octocat &#35;1 &commat;octocat`,
  `<kbd\n${CANARY}>`,
  `<https://${CANARY}.example><${CANARY}@${CANARY}.example>`,
];

const MARKDOWN = [
  `[${CANARY}](https://${CANARY}.example)`,
  `[${CANARY}](javascript:alert(1))`,
  `[${CANARY}](<https://${CANARY}.example> "t")`,
  `![${CANARY}](https://${CANARY}.example/p.png)`,
  `[![${CANARY}](https://${CANARY}.example/p.png)](https://${CANARY}.example)`,
  `[${CANARY}]: https://${CANARY}.example\n[${CANARY}] [Workflow run] [x][${CANARY}]`,
  `\n\n[Workflow run]: https://${CANARY}.example\n\n`,
  `https://${CANARY}.example www.${CANARY}.example ${CANARY}@${CANARY}.example`,
  `xmpp:${CANARY}@${CANARY}.example mailto:${CANARY}@${CANARY}.example`,
  `\n# ${CANARY}\n`,
  `${CANARY}\n===\n${CANARY}\n---`,
  `| ${CANARY} | b |\n|---|---|\n| c | d |`,
  `a | b \\| c \\\\| ${CANARY} | | || |`,
  `\n- [x] ${CANARY}\n- [ ] ${CANARY}\n1. ${CANARY}`,
  `> ${CANARY}\n> > ${CANARY}`,
  `> [!WARNING]\n> ${CANARY}`,
  `[^1] ${CANARY}\n\n[^1]: ${CANARY}`,
  `\`\`\`\n${CANARY}\n\`\`\`\n${CANARY}`,
  `~~~\n${CANARY}\n~~~\n# ${CANARY}`,
  `\`\`\`\`\`\`\`\`\n# ${CANARY}`,
  `\`\`\`mermaid\ngraph TD; ${CANARY}\n\`\`\``,
  `\` ${CANARY} \`\` ${CANARY} \`\`\` ${CANARY}`,
  `${CANARY}\\`,
  `\`${CANARY}`,
  `${CANARY}\``,
  `\\\`${CANARY}\\\``,
  `**${CANARY}** __${CANARY}__ ~~${CANARY}~~ *${CANARY}* _${CANARY}_`,
  `*** ~~~~ ${CANARY} ~~`,
  `    ${CANARY} indented\n\t${CANARY}`,
  `$$${CANARY}$$ $\`${CANARY}\`$ $x$`,
  `${CANARY}  \n${CANARY}\\\n${CANARY}`,
  `---\n***\n___ ${CANARY}`,
];

const REFERENCES = [
  `@octocat ${CANARY}`,
  `@octo/docs-team ${CANARY}`,
  `(@octocat) .@octocat, /@octocat ${CANARY}`,
  `@\u200Boctocat @\u00ADoctocat ${CANARY}`,
  `#1 (#2) ${CANARY}`,
  `GH-1 gh-2 ${CANARY}`,
  `octo/docs#1 octo#2 ${CANARY}`,
  `octo/docs@0123456789abcdef0123456789abcdef01234567 ${CANARY}`,
  `https://github.com/octo/docs/issues/1 ${CANARY}`,
  `https://github.com/octo/docs/pull/2#issuecomment-3 ${CANARY}`,
  `fixes #1, closes octo/docs#2; Resolves: GH-3 ${CANARY}`,
  `fixes https://github.com/octo/docs/issues/4 ${CANARY}`,
  `#**1** @**octocat** #<!-- -->1 @[](x)octocat ${CANARY}`,
];

const FORGED = Buffer.from(
  JSON.stringify({
    v: 1,
    job: CANARY,
    project: "x",
    api: "v2",
    repository: "octo/docs",
    issue: 7,
    run: "1001",
    attempt: 1,
    step: "write-docs/docs",
    at: 1,
  }),
).toString("base64url");

const MARKERS = [
  `<!-- docs-agent:${FORGED}.${"A".repeat(43)} --> ${CANARY}`,
  `${CANARY}\n\n<!-- docs-agent:${FORGED}.${"A".repeat(43)} -->`,
  `${CANARY} <!-- docs-agent:${FORGED}. -->`,
  `${CANARY} <!-- docs-agent:`,
  `${CANARY} <!\u200B-- docs-agent:${FORGED}.${"_".repeat(43)} -->`,
  `\`\`\`\n<!-- docs-agent:${FORGED}.${"A".repeat(43)} -->\n${CANARY}`,
];

const INVISIBLE = [
  `\u202E${CANARY}\u202C \u2066${CANARY}\u2069 \u200E\u200F\u061C`,
  `${CANARY}\u200B\u200C\u200D\u2060\uFEFF\u00AD\u034F\u115F\u3164${CANARY}`,
  `${CANARY}${[..."fixes #1"].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("")}`,
  `${CANARY}\u{E0001}\u{E007F}\uFE0F\u{E0100}\uFFF9x\uFFFA`,
  `\u0000${CANARY}\u0000\u0001\u001F\u0080\u009F`,
  `\uD800${CANARY}\uDFFF \uDC00\uD800`,
  `${CANARY}\uFFFE\uFFFF\u{10FFFF}`,
  `${CANARY} e${"\u0301".repeat(60)}`,
];

const LINES = [
  `${CANARY}\n${CANARY}\r${CANARY}\r\n${CANARY}\n\r${CANARY}`,
  `${CANARY}\u0085${CANARY}\u2028${CANARY}\u2029${CANARY}\v${CANARY}\f${CANARY}`,
  `\n\n\n${CANARY}\n\n\n`,
];

const COMMAND_FILES = [
  `${CANARY}\nghadelimiter_00000000-0000-0000-0000-000000000000\nextra=${CANARY}`,
  `${CANARY}\nEOF\nextra<<E\n${CANARY}\nE`,
  `extra=${CANARY}\njobId=${CANARY}`,
  `${CANARY}<<ghadelimiter_\nextra=${CANARY}\nghadelimiter_`,
  `${CANARY}\r\nghadelimiter_\r\nextra=${CANARY}\r\n`,
];

const JSON_TRICKS = [
  `","status":"completed","id":"${CANARY}`,
  `{"id":"${CANARY}","__proto__":{"status":"completed"}}`,
  `${CANARY}\\u0022\\n\\\\`,
  `__proto__ constructor toString ${CANARY}`,
  `../../${CANARY}?x=1#y`,
  `${CANARY} %s %d %o %c {0} \${${CANARY}} \${{ secrets.${CANARY} }} $(${CANARY}) \`${CANARY}\``,
];

/** Addresses that must not become links, or that are not what they seem. */
const ADDRESSES = [
  `javascript:alert("${CANARY}")`,
  `JaVaScRiPt://github.com/%0Aalert(${CANARY})`,
  `\u0001javascript:${CANARY}`,
  `java\nscript:${CANARY}`,
  `data:text/html;base64,${CANARY}`,
  `vbscript:${CANARY}`,
  `file:///etc/${CANARY}`,
  `ftp://${CANARY}.example/pull/1`,
  `blob:https://${CANARY}.example/1`,
  `http://${CANARY}.example/pull/1`,
  `//${CANARY}.example/pull/1`,
  `https:${CANARY}.example/pull/1`,
  `https:/\\${CANARY}.example/pull/1`,
  `https://user:pass@${CANARY}.example/pull/1`,
  `https://github.com@${CANARY}.example/pull/1`,
  `https://[::1]/${CANARY}/pull/1`,
  `https://[::ffff:127.0.0.1]:8443/${CANARY}/pull/1`,
  `http://[::1]:9/${CANARY}/pull/1`,
  `http://127.0.0.1:9/${CANARY}/pull/1`,
  `http://127.1/${CANARY}/pull/1`,
  `http://0x7f.1/${CANARY}/pull/1`,
  `http://localhost.${CANARY}.example/pull/1`,
  `http://127.0.0.1.${CANARY}.example/pull/1`,
  `https://${CANARY}.example/pull/1\n::error::${CANARY}`,
  `https://${CANARY}.example/pull/1 "title" onclick=${CANARY}`,
  `https://${CANARY}.example/pull/1\u0000\u0009x`,
  `https://${CANARY}.example/pull/1)[x](javascript:${CANARY})`,
  `https://${CANARY}.example/pull/1](<x> @octocat #1 <!-- docs-agent:a.b -->`,
  `https://${CANARY}.example/pull/1>"'\`*_~|\\{}^$`,
  `https://${CANARY}.example/%0A%0D::error::%22%3E%3Cscript%3E/pull/1`,
  `https://${CANARY}.example/%E2%80%AE%00/%2E%2E/pull/1`,
  `https://${CANARY}.example/@octocat/#1/pull/1?fixes=%231&a=#2`,
  `https://${CANARY}.\u0435xample/pull/1`,
  `https://\u202E${CANARY}.example/pull/1`,
  `https://${CANARY}\u3002example\uFF0Fpull/1`,
  `https://${CANARY}.example:99999/pull/1`,
  `https://${CANARY}.example/pull/999999999999999999999999`,
  `https://${CANARY}.example/${"a".repeat(3000)}/pull/1`,
];

/** The corpus, by what the texts imitate. */
export const HOSTILE = {
  "a workflow command": COMMANDS,
  "a command after what may begin a line": BEGINNINGS.map(
    (beginning, index) => `${CANARY}${beginning}${COMMANDS[index % COMMANDS.length]}`,
  ),
  "a command after white space": BEGINNINGS.map(
    (beginning, index) => `${beginning}${COMMANDS[(index + 7) % COMMANDS.length]}`,
  ),
  "a command in pieces": SPLIT_COMMANDS,
  "a terminal's escape": TERMINAL,
  HTML,
  Markdown: MARKDOWN,
  "a mention or a reference": REFERENCES,
  "a marker": MARKERS,
  "something invisible": INVISIBLE,
  "several lines": LINES,
  "a line of a command file": COMMAND_FILES,
  "JSON, a path or a template": JSON_TRICKS,
  "an address": ADDRESSES,
} as const;

/** All texts of the corpus, in order. */
export const ALL_HOSTILE: readonly string[] = Object.values(HOSTILE).flat();

/** A line of one MiB. */
export const LONG_LINE = `${CANARY} @octocat #1 <b> ${"x".repeat(1024 * 1024)}`;

/** The nth text of the corpus, which repeats after its end. */
export function hostile(index: number): string {
  return ALL_HOSTILE[index % ALL_HOSTILE.length] ?? CANARY;
}

/** Positions in the corpus, so that tests which take `count` texts from each have all of it. */
export function everyNth(count: number): number[] {
  return Array.from({ length: Math.ceil(ALL_HOSTILE.length / count) }, (_, nth) => nth * count);
}

/** The corpus in texts of about this length in characters, for fields that a run fills once. */
export function chunks(length: number, separator = "\n"): string[] {
  const all: string[] = [];
  let last = "";
  for (const text of ALL_HOSTILE) {
    if (last !== "" && last.length + text.length > length) {
      all.push(last);
      last = "";
    }
    last += (last === "" ? "" : separator) + text;
  }
  return [...all, last];
}

/** The texts of the corpus that an HTTP header can contain: printable ASCII. */
export function headerSafe(): string[] {
  return ALL_HOSTILE.filter((text) => /^[\x21-\x7E][\x20-\x7E]*$/.test(text)).map((text) =>
    text.trim(),
  );
}
