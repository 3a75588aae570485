import MarkdownItCallable, { type MarkdownIt, type StateInline } from "markdown-it";

/**
 * A parser that says what is text, code, HTML or a link in a Markdown text.
 *
 * @param rule is called right before the one named `next`, only at positions that are read as text: never in code,
 * HTML or URLs
 */
export function textParser(
  name: string,
  next: string,
  rule: (state: StateInline, isSilent: boolean) => boolean,
): MarkdownIt {
  const markdown = new MarkdownItCallable({ html: true });
  // GitHub accepts any URL in a link, and removes harmful ones later.
  markdown.validateLink = () => true;
  markdown.normalizeLink = (address) => address;
  markdown.core.ruler.enableOnly(["normalize", "block"]);
  markdown.inline.ruler.before(next, name, rule);
  // Emphasis and entities do not hide text, and do not change where code, HTML and links begin and end.
  markdown.inline.ruler.enableOnly([
    name,
    "text",
    "newline",
    "escape",
    "backticks",
    "link",
    "image",
    "autolink",
    "html_inline",
  ]);
  markdown.inline.ruler2.enableOnly([]);
  return markdown;
}
