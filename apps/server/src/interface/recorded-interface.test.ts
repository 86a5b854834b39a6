import { expect, test } from 'vitest';
import { startTestServer } from '../../testing/start-test-server.ts';

// The description of Gatehouse's own HTTP interface, without extensions, is compared byte for byte with the one in
// recorded-outputs/. Record an intended change by
// `vitest run apps/server/src/interface/recorded-interface.test.ts --update`.

async function servedDocument(format: 'paseto' | 'jwt'): Promise<string> {
  await using server = await startTestServer({ format, extensions: [] });
  const response = await fetch(`${server.url}/openapi.json`);
  expect(response.status).toBe(200);
  return response.text();
}

test('the OpenAPI document equals the recorded one', async () => {
  const served = await servedDocument('paseto');
  // The recording is indented for its readers. This tells it from the served bytes by white space alone.
  expect(served).toBe(JSON.stringify(JSON.parse(served)));
  const indented = `${JSON.stringify(JSON.parse(served), null, 2)}\n`;
  await expect(indented).toMatchFileSnapshot('recorded-outputs/openapi.json');
  expect(await servedDocument('jwt')).toBe(served.replace('"bearerFormat":"PASETO"', '"bearerFormat":"JWT"'));
});
