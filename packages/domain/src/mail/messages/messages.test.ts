import { expect, test } from 'vitest';
import { anEvent, aTokenRecord } from '../../../testing/index.ts';
import type { LinkCode } from '../../links/link-code.ts';
import type { LinkTarget } from '../mail-links.ts';
import { NOTICE_RULES } from '../notice-kinds.ts';
import { inert, letter } from './lines.ts';
import { digestMessage, invitationMessage, noticeMessage } from './messages.ts';

const { user, account } = aTokenRecord();
const linkTo = ({ page }: LinkTarget) => `https://gatehouse.example/${page}`;
const LINK = /https?:\/\/\S+/g;
const HOSTILE = 'x\r\nBcc: all@evil.example\r\n\r\nhttps://evil.example\u202e www.evil.example';

const hostile = anEvent({
  action: 'token.expires_soon',
  subject: { type: 'token', id: '1' },
  details: { name: HOSTILE, days: 1, expires_at: '2026-12-05T00:00:00.000Z' },
});

test('every message has one subject line, short lines, and one link', () => {
  for (const action of Object.keys(NOTICE_RULES) as (keyof typeof NOTICE_RULES)[]) {
    const details = {
      name: 'deploy',
      days: 30,
      expires_at: '2026-12-05T00:00:00.000Z',
      network: '192.0.2.0/24',
      tokens: 3,
      to: 'admin',
    };
    const { subject, text } = noticeMessage(anEvent({ action, details }), user, linkTo);
    expect(subject).toMatch(/^[^\p{Cc}]{5,78}$/u);
    expect(text.split('\n').every((line) => line.length <= 78)).toBe(true);
    expect(text.match(LINK)).toHaveLength(1);
    expect(text).not.toMatch(/undefined|null|NaN/);
  }
});

test('a message about a webhook names it, and says why Gatehouse disabled it', () => {
  const details = { name: 'Chat', reason: 'its receiver answered 410 (Gone)' };
  const { subject, text } = noticeMessage(anEvent({ action: 'webhook.disabled', details }), user, linkTo);
  expect(subject).toBe('Webhook "Chat" was disabled');
  expect(text.replace(/\s+/g, ' ')).toContain('Reason: its receiver answered 410 (Gone).');
});

test('a name can neither add a header nor a second link', () => {
  const named = { ...user, name: HOSTILE };
  const message = noticeMessage(hostile, named, linkTo);
  expect(message.subject).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(message.text).not.toMatch(/\r|\u202e|^Bcc/m);
  expect(message.text).not.toContain('evil.example');
  expect(message.text.match(LINK)).toHaveLength(1);
  const invitation = {
    ...{ id: 'x' as never, accountId: account.id, email: user.email, name: HOSTILE, role: 'member' as const },
    ...{ createdAt: user.createdAt, expiresAt: user.createdAt, isMailed: true },
    invitedBy: { id: user.id, name: HOSTILE, email: user.email },
  };
  const open = { invitation, account: { ...account, name: HOSTILE } };
  const invited = invitationMessage(open, 'ghi_x' as LinkCode, linkTo);
  expect(`${invited.subject}\n${invited.text}`).not.toContain('evil.example');
  expect(invited.text.match(LINK)).toHaveLength(1);
});

test('a name that mail programs would make a link of is shown without one', () => {
  expect(inert('https://evil.example/x')).toBe('https[:]//evil[.]example/x');
  expect(inert('ada@evil.example')).toBe('ada[@]evil[.]example');
  // A letter with a combining mark, and the other dots that browsers take for a dot (UTS #46).
  expect(inert('evil\u0308.example')).toBe('evil\u0308[.]example');
  for (const dot of '\u3002\uff0e\uff61\u2024') expect(inert(`evil${dot}example`)).toBe('evil[.]example');
  expect(inert('ada\uff20evil')).toBe('ada[@]evil');
  expect(inert('Dr. Ada Lovelace')).toBe('Dr. Ada Lovelace');
  expect(inert('a'.repeat(200))).toHaveLength(81);
});

test('a message about many events lists fifty of them', () => {
  const { subject, text } = digestMessage(
    Array.from({ length: 53 }, () => hostile),
    user,
    linkTo,
  );
  expect(subject).toBe('53 events on Gatehouse');
  expect(text.match(/^- The token/gm)).toHaveLength(50);
  expect(text).toContain('- and 3 more');
  expect(text.match(LINK)).toHaveLength(1);
});

test('a long word stays whole, and a letter ends with a line feed', () => {
  const link = `https://gatehouse.example/${'x'.repeat(100)}`;
  expect(letter(`${'word '.repeat(20)}${link}`).split('\n')).toContain(link);
  expect(letter('one', 'two')).toBe('one\n\ntwo\n');
});
