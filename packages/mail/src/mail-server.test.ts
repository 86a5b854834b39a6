import { err, ok } from '@gatehouse/domain';
import { expect, test } from 'vitest';
import { MAIL_SERVER_FORM, parseMailServer } from './mail-server.ts';

test.each([
  ['smtps://mail.example', { host: 'mail.example', port: 465, beginsWithTls: true, auth: undefined }],
  ['smtp://mail.example', { host: 'mail.example', port: 587, beginsWithTls: false, auth: undefined }],
  ['smtp://[::1]:2525/', { host: '::1', port: 2525, beginsWithTls: false, auth: undefined }],
  [
    'smtps://gate%40acme.example:p%3Aw%2F@mail.example:4465',
    {
      host: 'mail.example',
      port: 4465,
      beginsWithTls: true,
      auth: { user: 'gate@acme.example', pass: 'p:w/' },
    },
  ],
])('%s names a mail server', (text, server) => {
  expect(parseMailServer(text)).toEqual(ok(server));
});

test.each([
  'mail.example',
  'mail.example:587',
  'https://mail.example',
  'smtp://',
  'smtp://mail.example/path',
  'smtp://mail.example?tls=off',
  'smtp://mail.example#x',
])('%s is refused, and not repeated', (text) => {
  const refused = parseMailServer(text);
  expect(refused).toEqual(err(`must be ${MAIL_SERVER_FORM}`));
});

test.each([
  'smtp://user@mail.example',
  'smtp://:hunter2@mail.example',
  'smtp://a%ff:hunter2@mail.example',
  'smtps://user:a/hunter2@mail.example',
  'smtps://user:12/hunter2@mail.example',
  'smtps://user:a?hunter2@mail.example',
  'smtps://user:a#hunter2@mail.example',
  'smtps://user:100%hunter2@mail.example',
])('%s is refused with how to write a password, which is not repeated', (text) => {
  const refused = parseMailServer(text);
  expect(refused).toEqual(
    err(`must be ${MAIL_SERVER_FORM}; in a password, write / as %2F, ? as %3F, # as %23 and % as %25`),
  );
  expect(JSON.stringify(refused)).not.toContain('hunter2');
});
