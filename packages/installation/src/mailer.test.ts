import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mail } from '@gatehouse/domain/mail';
import { openMailReceiver } from '@gatehouse/mail/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMailer, mailSettingsProblems } from './mailer.ts';
import { installationSettings, parseSettings } from './settings/index.ts';

const MAIL = { to: 'ada@acme.example', subject: 'x', text: 'x\n', messageId: 'x' } as Mail;
const FROM = 'Gatehouse <gatehouse@acme.example>';

function settingsOf(environment: Record<string, string>) {
  const parsed = parseSettings(installationSettings, environment);
  if (!parsed.ok) throw new Error(parsed.error.join());
  return parsed.value;
}

test('without a mail server nothing is mailed, and no other setting is missing', () => {
  const settings = settingsOf({ MAIL_FROM: FROM });
  expect(createMailer(settings, () => undefined)).toBeUndefined();
  expect(mailSettingsProblems(settings)).toEqual([]);
});

test('what a server needs besides the mail server is named', () => {
  const settings = settingsOf({ SMTP_URL: 'smtp://mail.example' });
  expect(mailSettingsProblems(settings)).toEqual([
    'MAIL_FROM must be set, because SMTP_URL is: it says from whom messages are',
    'PUBLIC_URL must be set, because SMTP_URL is: messages have links to the pages',
  ]);
  const all = { ...settings, ...settingsOf({ MAIL_FROM: FROM, SMTP_URL: 'smtp://mail.example' }) };
  expect(mailSettingsProblems({ ...all, PUBLIC_URL: 'https://gatehouse.example' })).toEqual([]);
});

test('a URL that is refused is not repeated', () => {
  const parsed = parseSettings(installationSettings, {
    SMTP_URL: 'smtp://:hunter2@mail.example',
    MAIL_FROM: 'x',
  });
  expect(parsed).toMatchObject({
    ok: false,
    error: [/^SMTP_URL must be a URL/, /^MAIL_FROM must be/].map((line) => expect.stringMatching(line)),
  });
  expect(JSON.stringify(parsed)).not.toContain('hunter2');
});

test('the URL in a file is used, and another one once it is replaced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'));
  await using receiver = await openMailReceiver();
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'url');
  const store = async (text: string) => {
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  await store('smtp://127.0.0.1:1');
  const onProblem = vi.fn();
  const settings = settingsOf({ SMTP_URL_FILE: file, SMTP_TLS: 'off', MAIL_FROM: FROM });
  const mailer = createMailer(settings, onProblem) ?? expect.fail();
  expect(await mailer.send(MAIL)).toEqual({ kind: 'failed', problem: 'not_reachable' });
  await store(`smtp://127.0.0.1:${receiver.port}\n`);
  expect(await mailer.send(MAIL)).toEqual({ kind: 'sent' });
  await store('hunter2');
  expect(await mailer.check()).toBeUndefined();
  expect(onProblem).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^SMTP_URL_FILE names .* previous URL/),
  );
  expect(JSON.stringify(onProblem.mock.calls)).not.toContain('hunter2');
});
