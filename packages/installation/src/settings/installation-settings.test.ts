import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installationSettings, parseSettings } from './index.ts';

const URL_TEXT = 'postgres://ada:hunter2@db.example:5433/gatehouse';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-secret-'));
  file = join(folder, 'url');
});
afterEach(() => rm(folder, { recursive: true }));

const parse = (environment: Record<string, string>) => parseSettings(installationSettings, environment);
const problemsOf = (path: string) => {
  const parsed = parse({ DATABASE_URL_FILE: path });
  return parsed.ok ? [] : parsed.error;
};

describe('a file with the URL of a database', () => {
  it.each(['', '\n', '\r\n', '\r', ' \n'])('is read, and may end in %j', async (end) => {
    await writeFile(file, URL_TEXT + end, { mode: 0o600 });
    const read = { path: file, value: URL_TEXT, isRegular: true };
    expect(parse({ DATABASE_URL_FILE: file, DATABASE_LISTEN_URL_FILE: file })).toMatchObject({
      value: { DATABASE_URL_FILE: read, DATABASE_LISTEN_URL_FILE: read },
    });
  });

  it('may be of UTF-16, as PowerShell writes it', async () => {
    await writeFile(file, Buffer.from(`\ufeff${URL_TEXT}\r\n`, 'utf16le'), { mode: 0o600 });
    expect(parse({ DATABASE_URL_FILE: file })).toMatchObject({
      value: { DATABASE_URL_FILE: { value: URL_TEXT } },
    });
  });

  it('may be a pipe, as of a shell, which is not read again', async () => {
    execFileSync('mkfifo', ['-m', '600', file]);
    const writing = writeFile(file, URL_TEXT);
    expect(parse({ DATABASE_URL_FILE: file })).toMatchObject({
      value: { DATABASE_URL_FILE: { value: URL_TEXT, isRegular: false } },
    });
    await writing;
  });

  it('is named where it cannot be used, with the reason', async () => {
    expect(problemsOf(file)).toEqual([
      `DATABASE_URL_FILE names ${file}, which cannot be read: no such file or directory`,
    ]);
    expect(problemsOf(folder)).toEqual([
      `DATABASE_URL_FILE names ${folder}, which is a folder: name the file in it`,
    ]);
    await writeFile(file, ' \n', { mode: 0o600 });
    expect(problemsOf(file)).toEqual([
      `DATABASE_URL_FILE names ${file}, which is empty: it must contain a URL such as postgres://user:password@host:5432/database`,
    ]);
    await writeFile(file, 'mysql://ada:hunter2@x');
    expect(problemsOf(file)).toEqual([
      `DATABASE_URL_FILE names ${file}, whose content must be a URL such as postgres://user:password@host:5432/database`,
    ]);
  });

  it.each([0o644, 0o604, 0o660, 0o666])('is refused with mode %o: other users can read it', async (mode) => {
    await writeFile(file, URL_TEXT);
    await chmod(file, mode);
    expect(problemsOf(file)).toEqual([
      expect.stringMatching(
        /^DATABASE_URL_FILE names a file that must be private: other users can .*`chmod 600 /,
      ),
    ]);
  });

  it('is refused in a folder where other users can replace it', async () => {
    await writeFile(file, URL_TEXT, { mode: 0o600 });
    await chmod(folder, 0o777);
    expect(problemsOf(file)).toEqual([expect.stringMatching(/other users can write in .*`chmod go-w /)]);
  });

  it('and the setting itself are not both set', async () => {
    await writeFile(file, URL_TEXT, { mode: 0o600 });
    expect(parse({ DATABASE_URL: URL_TEXT, DATABASE_URL_FILE: file })).toEqual({
      ok: false,
      error: ['DATABASE_URL and DATABASE_URL_FILE are both set: set one of them'],
    });
  });
});
