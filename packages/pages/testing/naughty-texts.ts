import { readFileSync } from 'node:fs';

/** Returns a text with its invisible characters made visible, as pages show it. */
export { replaceInvisible as shownText } from '@gatehouse/domain';

/** Names that the domain accepts, and that break a page, a query or an address which does not escape them. */
export const NAUGHTY_TEXTS: readonly string[] = [
  '<script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '<svg/onload=alert(1)>',
  'javascript:alert(1)',
  '<!-- --><![CDATA[ ]]>',
  '</textarea></table></form><h1>',
  '&lt;b&gt; &amp;amp; &#x3c; &nbsp',
  '{{7*7}} <%= 7*7 %> #{7*7}',
  "'; drop table tokens; --",
  "a%' or 1=1 /* _ \\ % */",
  '%s %d %n %00 %2F %zz +',
  '../../etc/passwd',
  'a?b=c&d=e#f',
  'null',
  'undefined',
  '0',
  '-1e999',
  'NaN',
  'true',
  '__proto__',
  'constructor',
  'evil\u202Egnp.exe',
  '\u2066left\u2069\u2067right\u2069',
  'zero\u200Bwidth\uFEFF\u200D',
  'soft\u00ADhyphen',
  'Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324\u031E\u0349\u035A\u032F\u031E\u0320\u034Dalgo',
  '田中さんにあげて下さい',
  'الكل في المجمو عة',
  'שלום עולם',
  '👩🏽‍🚀 🏳️‍🌈 🇩🇪',
  'ﷺ ﷽',
  'İIıi ß ﬁ',
  'Å A\u030A',
  '\u{1F4A9}\u{E0041}\u{E007F}',
  'W'.repeat(200),
  'several   spaces',
];

/** Texts that programs have taken for markup, code or a command. Not all of them are names that the domain accepts. */
export const NAUGHTY_STRINGS: readonly string[] = JSON.parse(
  readFileSync(new URL('vectors/naughty-strings.json', import.meta.url), 'utf8'),
);

/** Returns the tags and attributes of a page without its texts and values. No text of a user may change them. */
export function structureOf(html: string): string {
  const tags = html.match(/<\/?[a-z!][^>]*>/gi) ?? [];
  return tags.map((tag) => tag.replace(/ (value|title|content)="[^"]*"/g, ' $1')).join('');
}
