import { NAUGHTY_TEXTS } from '@gatehouse/pages/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { type ServedRegistered, serveRegistered, withExtensions } from '../../testing/example-facts.ts';
import { type ExampleTarget, exampleTargets, isTokenRead } from '../../testing/examples.ts';
import { issue } from '../../testing/issue.ts';
import { REGISTERED } from '../../testing/registered.ts';

let server: ServedRegistered;
let token: string;

beforeAll(async () => {
  server = await serveRegistered();
  token = (await issue(server)).secret;
});
afterAll(() => server[Symbol.asyncDispose]());

const TEXTS = {
  'what breaks careless programs': NAUGHTY_TEXTS.join('\n'),
  'right-to-left and invisible': '\u202egnp.exe\u2066\u2069 \u200b\ufeff\u00ad e\u0301 \u{1f3ed}',
  '10,000 characters': '<b>é'.repeat(2500),
} as const;

/** Every string in a value of JSON. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

describe.each(Object.entries(TEXTS))('a text of %s', (_, text) => {
  test.each(REGISTERED)('is in the responses of $name as it was stored', async (extension) => {
    const { facts } = server;
    const hostile = await withExtensions(server.database.url, facts, text);
    const own = new Set((await extension.http?.())?.routes.map(({ operationId }) => operationId));
    const ofExtension = ({ route }: ExampleTarget) => own.has(route.operationId);
    const targets = exampleTargets(hostile, isTokenRead).filter(ofExtension);
    for (const { route, target } of targets) {
      const { status, headers, json } = await call(server.url, target, { token });
      expect([route.operationId, status, headers.get('content-type')]).toEqual([
        route.operationId,
        200,
        'application/json',
      ]);
      expect(route.success.body?.safeParse(json).error).toBeUndefined();
      expect(stringsIn(json).includes(text), `the text in ${route.operationId}`).toBe(true);
    }
  });
});
