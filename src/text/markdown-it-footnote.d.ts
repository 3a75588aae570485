declare module "markdown-it-footnote" {
  const footnote: (markdown: import("markdown-it").MarkdownIt) => void;
  export default footnote;
}
