/** Small pages for a person with a browser. */

/** A page with a title and a body that is HTML already. */
export function page(title: string, body: string): string {
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui;max-width:50rem;margin:2rem auto;padding:0 1rem}
pre{white-space:pre-wrap;background:#8881;padding:.75rem;border-radius:6px}</style>
<h1>${escapeHtml(title)}</h1>${body}`;
}

/** Text that a browser shows as it is. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
