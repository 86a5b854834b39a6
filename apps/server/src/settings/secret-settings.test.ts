import { createMasterKey } from '@gatehouse/key-encryption';
import { expect, test } from 'vitest';
import { serverSettings } from './settings.ts';

/** Texts such as those that a secret may be. */
const SECRETS = [
  'correct-horse-battery',
  'postgres://ada:hunter2@db.example/gatehouse',
  'smtps://ada:hunter2@mail.example',
  'authorization=Bearer%20hunter2',
  createMasterKey(),
];

/** Settings that take such a text, and are no secrets. */
const NO_SECRETS = [
  'GATEHOUSE_DATA_DIR',
  'HOST',
  'OPS_HOST',
  'TOKEN_ISSUER',
  'TOKEN_AUDIENCE',
  'OTEL_SERVICE_NAME',
];

test('each setting that may hold a secret has one with _FILE, which names a file', () => {
  const mayHoldSecret = Object.entries(serverSettings)
    .filter(([name]) => !name.endsWith('_FILE') && !NO_SECRETS.includes(name))
    .filter(([, { parse }]) => SECRETS.some((secret) => parse(secret).ok))
    .map(([name]) => name);
  const withFile = Object.keys(serverSettings).filter((name) => `${name}_FILE` in serverSettings);
  expect(withFile).toEqual(expect.arrayContaining(['DATABASE_URL', 'GATEHOUSE_MASTER_KEY']));
  // A new one that fails here gets a `_FILE`, or its name joins those that are no secrets.
  expect(mayHoldSecret).toEqual(withFile);
});
