import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { findTextFaults, findViolations, newPage, validateHtml } from './index.ts';

const page = (body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>A page</title><style>a { color: #00f } @media (prefers-color-scheme: dark) { body { background: #000; color: #fff } }</style></head><body><main><h1>A page</h1>${body}</main></body></html>`;

const CLEAN = page('<p>Nothing is wrong here.</p>');

/** Serves one document with the strictest policy for scripts, as our pages do. */
async function serve(document: string, policy = "default-src 'none'; style-src 'unsafe-inline'") {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', policy);
    response.end(document);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.each([{ javaScript: true }, { javaScript: false }])('with %o, axe', (options) => {
  const violationsOf = async (document: string) => {
    await using site = await serve(document);
    await using opened = await newPage(options);
    await opened.goto(site.url);
    return await findViolations(opened);
  };

  it('finds nothing on a page that has nothing wrong', async () => {
    expect(await violationsOf(CLEAN)).toEqual([]);
  });

  it.each([
    ['a field without a label', '<input name="email">', 'label: input'],
    ['grey on white', '<p style="color: #aaa">Faint</p>', 'color-contrast: p'],
    [
      'two small targets side by side',
      '<button style="all: unset; font-size: 8px">a</button><button style="all: unset; font-size: 8px">b</button>',
      'target-size: button',
    ],
  ])('finds %s', async (_, body, found) => {
    expect((await violationsOf(page(body))).join('\n')).toContain(found);
  });
});

describe('the text of a page', () => {
  const faultsOf = async (document: string) => {
    await using site = await serve(document);
    await using opened = await newPage({ width: 320 });
    await opened.goto(site.url);
    return await findTextFaults(opened);
  };

  it('has no faults where lines wrap, scroll, end in an ellipsis, or are hidden', async () => {
    const long = 'word '.repeat(80);
    const body = `<p>${long}</p><pre style="overflow-x: auto">${long}</pre><p style="overflow: hidden; text-overflow: ellipsis; white-space: nowrap">${long}</p><input value="${long}"><ul><li>One</li></ul><details><summary>More</summary><p>One</p></details><p>Other</p><p>One<span style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)">${long}</span> and two</p>`;
    expect(await faultsOf(page(body))).toEqual([]);
  });

  it.each([
    [
      'a label of the stylesheet that is longer than its place',
      '<style>p { position: relative; padding-left: 4em } p::before { content: "About how often"; position: absolute; left: 0 }</style><p>1,200</p>',
      '"About how often" overlaps "1,200"',
    ],
    [
      'a label that has more lines than its value',
      '<style>p { position: relative; margin: 0; padding-left: 4em } .long::before { content: "About how often"; position: absolute; left: 0; width: 3.8em }</style><p class="long">1,200</p><p><span style="margin-left: -4em">Next</span></p>',
      'overlaps "Next"',
    ],
    [
      'a word that is wider than the page',
      `<p>${'w'.repeat(60)}</p>`,
      `"${'w'.repeat(60)}" is wider than its p`,
    ],
    [
      'text that is cut off',
      '<p style="width: 4em; overflow: hidden; white-space: nowrap">Nightly export</p>',
      '"Nightly export" is wider than its p',
    ],
  ])('is faulty with %s', async (_, body, found) => {
    expect((await faultsOf(page(body))).join('\n')).toContain(found);
  });
});

describe('html-validate', () => {
  it('finds nothing in a document that has nothing wrong', async () => {
    expect(await validateHtml(CLEAN)).toEqual([]);
  });

  it.each([
    ['an element that is not closed', '<p><div>text</p>', 'close-order'],
    ['an id that stands twice', '<p id="one">1</p><p id="one">2</p>', 'no-dup-id'],
    ['a field without a label', '<input type="text" name="email">', 'input-missing-label'],
  ])('finds %s', async (_, body, rule) => {
    expect((await validateHtml(page(body))).join('\n')).toContain(rule);
  });
});

describe('a page', () => {
  const SCRIPT = page('<p id="said">the document</p><script>said.textContent = "the script"</script>');

  it.each([
    [true, 'the script'],
    [false, 'the document'],
  ])('runs scripts: %s', async (javaScript, text) => {
    await using site = await serve(SCRIPT, "script-src 'unsafe-inline'");
    await using opened = await newPage({ javaScript });
    await opened.goto(site.url);
    expect(await opened.locator('#said').textContent()).toBe(text);
    // This page needs scripts of its own.
    await findViolations(opened);
    expect(await opened.locator('#said').textContent()).toBe(text);
    await opened.reload();
    expect(await opened.locator('#said').textContent()).toBe(text);
  });

  it.each([
    ['light', 'rgba(0, 0, 0, 0)'],
    ['dark', 'rgb(0, 0, 0)'],
  ] as const)('has the width of the option, and %s', async (colorScheme, background) => {
    await using site = await serve(CLEAN);
    await using opened = await newPage({ width: 320, colorScheme });
    await opened.goto(site.url);
    expect(await opened.evaluate('[innerWidth, getComputedStyle(document.body).backgroundColor]')).toEqual([
      320,
      background,
    ]);
  });

  it('has no cookie of another, and contacts no other host', async () => {
    await using site = await serve(CLEAN);
    await using one = await newPage();
    await using other = await newPage();
    await one.goto(site.url);
    await other.goto(site.url);
    await one.evaluate('document.cookie = "mine=1"');
    expect(await other.evaluate('document.cookie')).toBe('');
    await expect(one.goto('http://gatehouse.example/')).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
  });
});
