/** One piece a line; `⏎` is a line break in it, and an empty line an empty piece. */
const pieces = (text: string) => text.split("\n").map((piece) => piece.replaceAll("⏎", "\n"));

/** Pieces of comments, each of which may begin, end or hold what hides a line. `{w}` becomes a word of its own. */
const MARKDOWN = pieces(
  String.raw`

{w}
{w}
a ¬{w}
{w}¬ d
¬¬ {w}
# {w}
===
---
* * *
\
{w}\
¬¬¬
~~~
¬¬¬¬
¬¬¬sh
¬¬¬sh {w}
   ¬¬¬
- ¬¬¬
10. ¬¬¬
> ¬¬¬
> {w}
>
> > {w}
> - {w}
- > {w}
- {w}
-
2) {w}
   {w}
   - {w}
     {w}
    {w}
* [ ] {w}
  - {w}⏎⏎    {w}
{w} | {w}⏎--- | ---
{w} | ¬{w}
| {w} | {w} |
| {w} | {w} | {w} |
| ¬a\|b {w}¬ |
|-|-|
{w} | </details>
~~{w}
**{w}
{w}**
_{w}_
$$
$$⏎{w}⏎$$
https://a.b/{w}
x[^1]
[^1]: {w}
[^{w}]: {w}
[{w}]: b
[b]: c "{w}
"
[//]: # ({w})
[a](<b {w}>)
[a](b "{w}
{w}')
![{w}
{w}](c)
[{w}][
{w}]
[{w}]
[a]:
<{w}>
![a](b '{w}')
\<b>
&lt;b&gt;
<https://a.b/{w}>
<{w}@a.example>
a < b
{w} <3
<
</
<!
<?`.replaceAll("¬", "`"),
);

/** Raw HTML, harmless and not, whole and in parts. */
const HTML = pieces(`<!-- {w} -->
a <!-- {w} --> {w}
<!--
-->
a <!-- {w}
{w} -->
<!-->
<!--->
<!--- {w} --->
<!-- {w} -- {w} -->
<!-- {w} --!>
--!>
<!----> {w}
- <!-- {w}
> <!-- {w}
<details>
</details>
<details><summary>{w}</summary>
<details open>
<details>⏎<summary>{w}</summary>⏎⏎{w}⏎⏎</details>
<details>{w}</details>
a <details> {w}
a </details> {w}
- <details>
  </details>
> <details>
<DETAILS>
</details >
</details:x>
</details/>
<details/>
<details⏎>
<summary>
</summary>
<b>
</b>
<b>{w}</b>
<i>{w}
<kbd>
</kbd>
a <kbd>{w}</kbd>
a <kbd>{w}
<sub>{w}</sub>
<sup>
</sup>
<br>
<br/>
{w}<br />{w}
<b title='{w}'>
<b⏎>
<img src="a" alt="{w}">
<img width="1" height="2" alt="{w}" src="b" />
<img src="a
b">
<img src='{w}'>
<img src="a"alt="{w}">
<img onerror="{w}" src="x">
<pre>
</pre>
<pre>{w}</pre>
<code>
a <code>{w}
{w}</code>
<samp>
<tt>
<blockquote>
</blockquote>
<q>
<div>
</div>
<p>
<div title='
'>
<b title="
">
<b {w}
<b x=
<a href='
<a"b>
<b'x>
</b'>
<b/{w}>
<b:x>
<script>
</script>
<style>{w}</style>
<title>
<textarea>
</textarea>
<xmp>
<ruby>x<rp>
</rp>
</ruby>
<select>
</select>
<option>
<template>
</template>
<table>
<tr><td>
</td>
</table>
<svg>
<math>
<noscript>
<iframe>
<plaintext>
<frameset>
<!x<details>
<!DOCTYPE {w}>
<!A {w}
<![CDATA[ {w}
]]>
<?{w}
?>
<source⏎{w}
<search>
<picture>
<input>
<hr>
<h1>
<li>
<center>
<a name={w}>
</a>
<ins>
<s>
<object>
<dialog>
<button>`);

const BEFORE = ["", "", "", "", " ", "   ", "     ", "\t", "> ", ">     ", "- ", "  ", "</b>"];
const AFTER = pieces(`

 \`{w}
 <!-- {w}
 <details>
 {w}](c)
\` {w}
 <b title='{w}'>
 | {w}`);

/**
 * A comment made of such pieces, and of requests that can be told apart by their numbers; each word too has a
 * number of its own. The same random numbers make the same comment.
 *
 * @param random a number from 0 to 1
 */
export function drawComment(random: () => number): string {
  const one = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
  const html = random() * 0.6;
  const drawn = Array.from({ length: 2 + Math.floor(random() * 9) }, () => {
    const draw = random();
    if (draw < 0.3) return `${one(BEFORE)}/docs {a} {w}${one(AFTER)}`;
    return one(draw < 0.3 + html ? HTML : MARKDOWN);
  });
  const gaps = random() < 0.5 ? ["\n"] : ["\n", "\n\n"];
  const text = [...drawn, "/docs {a} {w}"].reduce((all, piece) => `${all}${one(gaps)}${piece}`);
  let number = 0;
  return text.replace(/\{([aw])\}/g, (_, kind) => `${kind === "a" ? "ask" : "word"}${number++}z`);
}
