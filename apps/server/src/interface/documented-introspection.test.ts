import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CAN_RUN, runCode } from '../../testing/run-code.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const PAGE = readFileSync(new URL('../../../../docs/use/verify-tokens.md', import.meta.url), 'utf8');

const blocksOf = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );

const EXAMPLE = new URL('../../../../packages/verifier/examples/orders.ts', import.meta.url);

test('the service on the page is the example that other tests run', () => {
  expect(blocksOf('ts')).toEqual([readFileSync(EXAMPLE, 'utf8')]);
});

/** Returns the names of all members of a value, and the types of the values. */
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
    : typeof value;

test.skipIf(!CAN_RUN.curl)('curl on the page is answered as the page says, in either case', async () => {
  await using server = await startTestServer();
  const { secret: CREDENTIAL, token } = await server.orders();
  const curl =
    blocksOf('sh').find((block) => block.includes('/api/v1/introspect')) ?? expect.fail('there is no curl');
  const ask = (text: string) =>
    runCode('curl', `set -eo pipefail; ${curl.replace('http://127.0.0.1:8080', server.url)}`, {
      CREDENTIAL,
      TOKEN: text,
    });
  const [active = '', inactive = ''] = blocksOf('json');
  const answer = await ask(token.secret);
  expect(shapeOf(answer)).toEqual(shapeOf(JSON.parse(active)));
  expect(answer).toMatchObject({ active: true, scope: 'orders:read' });
  expect(await ask('x')).toEqual(JSON.parse(inactive));
});
