import { expect, test } from 'vitest';
import { attributes, html, unchanged } from './html.ts';

test('texts are escaped, and templates, lists and numbers are shown as they are', () => {
  expect(
    `${html`<p>${'<b>&"\''}${html`<i>${1}</i>`}${[html`<u>`, 'a<b']}${null}${false}${undefined}</p>`}`,
  ).toBe('<p>&lt;b&gt;&amp;&quot;&#39;<i>1</i><u>a&lt;b</p>');
});

test('an object that only looks like a template is a text', () => {
  // It has the type of a text and is none: the type alone must not be believed.
  const forged = { toString: () => '<script>' } as unknown as string;
  expect(`${html`${forged}`}`).toBe('&lt;script&gt;');
});

test('invisible characters are shown, and kept in what a form sends back', () => {
  const name = 'a\u202eb\u200bc\u0000';
  expect(`${html`<p title="${name}">${[name]}</p>`}`).toBe(
    '<p title="a\ufffdb\ufffdc\ufffd">a\ufffdb\ufffdc\ufffd</p>',
  );
  expect(`${html`<input${attributes({ value: unchanged('a\u202e"') })}>`}`).toBe(
    '<input value="a\u202e&quot;">',
  );
});

test('an attribute is there, is left out, or has a value that ends where it should', () => {
  const written = attributes({ a: true, b: false, c: undefined, d: null, e: '', f: '" onload="x', g: 0 });
  expect(`${html`<i${written}>`}`).toBe('<i a e="" f="&quot; onload=&quot;x" g="0">');
});
