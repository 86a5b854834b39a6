import { expect, test } from 'vitest';
import { parseSender } from './sender.ts';

test.each([
  ['gatehouse@acme.example', '', 'gatehouse@acme.example'],
  ['<gatehouse@acme.example>', '', 'gatehouse@acme.example'],
  ['Gatehouse <gatehouse@acme.example>', 'Gatehouse', 'gatehouse@acme.example'],
  [' Zugänge, Müller & Söhne <gatehouse@acme.example> ', 'Zugänge, Müller & Söhne', 'gatehouse@acme.example'],
])('%s is a sender', (text, name, address) => {
  expect(parseSender(text)).toEqual({ ok: true, value: { name, address, domain: 'acme.example' } });
});

test.each([
  '',
  'gatehouse',
  'a@b@c',
  'smtps://ada:hunter2@mail.example',
  'ada@mail.example/x',
  'postgres://ada:hunter2@db.example/gatehouse',
  'x\r\nBcc: all@evil.example <a@b.example>',
  'a@b.example, c@d.example',
  'A <a@b.example> <c@d.example>',
])('%j is none', (text) => {
  expect(parseSender(text).ok).toBe(false);
});
