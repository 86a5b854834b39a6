import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);

/** The decision that explains the exceptions. */
const SOURCE = 'docs/adr/0009-coherent-caches.md';

async function wordsOf(path: string): Promise<string> {
  return (await readFile(new URL(path, ROOT), 'utf8')).replace(/\s+/g, ' ');
}

const said = /Four failures are not detected: [^.]*/.exec(await wordsOf(SOURCE))?.[0];

test.each(['README.md', 'SECURITY.md', 'docs/operate/revocation.md', 'docs/develop/reliability.md'])(
  '%s names the exceptions of how fast a revocation takes effect in the words of ADR 9',
  async (path) => {
    expect(said).toBeDefined();
    expect(await wordsOf(path)).toContain(said);
  },
);
