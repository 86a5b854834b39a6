import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import { expect, test } from 'vitest';
import { workerEnvironment } from './environment.ts';

const masterKey = new Uint8Array(32).fill(7) as LoadedMasterKey['masterKey'];
const TEXT = Buffer.from(masterKey).toString('base64url');

test.each<[string, Omit<LoadedMasterKey, 'masterKey'>, string, string]>([
  ['the path of a master key file, to read it again', { file: '/run/key' }, '', '/run/key'],
  ['a master key from a setting', { file: undefined }, TEXT, ''],
  ['a master key from a pipe, which they cannot read', { file: '/dev/fd/63', pipe: true }, TEXT, ''],
])('workers get %s', (_, loaded, key, file) => {
  const address = { url: 'postgres:///x', file: undefined };
  const store = { address, listenAddress: address };
  expect(workerEnvironment(store, { masterKey, ...loaded }, { PORT: 8080 })).toMatchObject({
    GATEHOUSE_MASTER_KEY: key,
    GATEHOUSE_MASTER_KEY_FILE: file,
  });
});

test('workers get the path of a file with a URL, to follow it, and any other URL itself', () => {
  const store = {
    address: { url: () => 'postgres:///pooler', file: '/run/url' },
    listenAddress: { url: 'postgres:///x', file: undefined },
  };
  expect(workerEnvironment(store, { masterKey, file: '/run/key' }, { PORT: 8080 })).toMatchObject({
    DATABASE_URL: '',
    DATABASE_URL_FILE: '/run/url',
    DATABASE_LISTEN_URL: 'postgres:///x',
    DATABASE_LISTEN_URL_FILE: '',
  });
});

test.each([true, false])('workers get headers for the collector that they cannot read: %s', (isRegular) => {
  const address = { url: 'postgres:///x', file: undefined };
  const store = { address, listenAddress: address };
  const file = { path: '/run/headers', value: { authorization: 'Bearer x=,y' }, isRegular };
  const settings = { PORT: 8080, OTEL_EXPORTER_OTLP_HEADERS_FILE: file };
  const environment = workerEnvironment(store, { masterKey, file: '/run/key' }, settings);
  if (isRegular) expect(environment).not.toHaveProperty('OTEL_EXPORTER_OTLP_HEADERS_FILE');
  else
    expect(environment).toMatchObject({
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x%3D%2Cy',
      OTEL_EXPORTER_OTLP_HEADERS_FILE: '',
    });
});
