import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressIn } from './database-address.ts';
import { installationSettings, parseSettings } from './settings/index.ts';

const OLD_URL = 'postgres://ada:one@db.example:5433/gatehouse?sslmode=verify-full';
const NEW_URL = 'postgres://bob:two@db.example:5433/gatehouse?sslmode=verify-full';

let folder: string;
let file: string;
let ignored: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-address-'));
  file = join(folder, 'url');
  ignored = [];
});
afterEach(() => rm(folder, { recursive: true }));

async function replace(text: string) {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function follow(first = OLD_URL) {
  await replace(first);
  const settings = parseSettings(installationSettings, { DATABASE_URL_FILE: file });
  if (!settings.ok) throw new Error(settings.error.join());
  const address = addressIn(settings.value, 'DATABASE_URL', (line) => ignored.push(line));
  if (typeof address?.url !== 'function') throw new Error('the file is not followed');
  expect(address.file).toBe(file);
  return address.url;
}

test('other credentials in the file are used for the next connection', async () => {
  const url = await follow();
  expect(url()).toBe(OLD_URL);
  await replace(`${NEW_URL}\n`);
  expect(url()).toBe(NEW_URL);
  expect(ignored).toEqual([]);
});

test('credentials among the parameters can change, too', async () => {
  const url = await follow('postgres:///gatehouse?host=/run/pg&user=ada&password=one');
  const second = 'postgres:///gatehouse?host=/run/pg&user=bob&password=two';
  await replace(second);
  expect(url()).toBe(second);
});

test.each([
  ['another host', NEW_URL.replace('db.example', 'db2.example'), /now has the URL of another database/],
  ['another database', NEW_URL.replace('/gatehouse?', '/other?'), /now has the URL of another database/],
  ['another TLS mode', NEW_URL.replace('verify-full', 'disable'), /or other parameters/],
  ['no URL', 'hunter2', /whose content must be a URL such as/],
  ['nothing', '', /which is empty/],
])('%s in the file is ignored and said once; credentials are followed again', async (_, text, line) => {
  const url = await follow();
  await replace(text);
  expect([url(), url()]).toEqual([OLD_URL, OLD_URL]);
  expect(ignored).toEqual([expect.stringMatching(line)]);
  expect(ignored[0]).toMatch(new RegExp(`^DATABASE_URL_FILE names ${file}`));
  expect(ignored.join()).not.toMatch(/two|hunter2/);
  await replace(NEW_URL);
  expect(url()).toBe(NEW_URL);
  await replace(text);
  expect(url()).toBe(NEW_URL);
  expect(ignored).toHaveLength(2);
});

test('a file that is removed, or that others can read, is ignored and said', async () => {
  const url = await follow();
  await rm(file);
  expect(url()).toBe(OLD_URL);
  await replace(NEW_URL);
  await chmod(file, 0o644);
  expect(url()).toBe(OLD_URL);
  expect(ignored).toEqual([
    expect.stringMatching(/cannot be read: no such file or directory: its previous credentials/),
    expect.stringMatching(/must be private: other users can read/),
  ]);
});

test('a setting is taken as it is, and a missing one is none', () => {
  const settings = parseSettings(installationSettings, { DATABASE_URL: OLD_URL });
  if (!settings.ok) throw new Error();
  const onIgnored = () => undefined;
  expect(addressIn(settings.value, 'DATABASE_URL', onIgnored)).toEqual({ url: OLD_URL, file: undefined });
  expect(addressIn(settings.value, 'DATABASE_LISTEN_URL', onIgnored)).toBeUndefined();
});
