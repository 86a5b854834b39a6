import { apiToken, PASSWORD } from '@gatehouse/domain/testing';
import { type Language, SNIPPETS } from '@gatehouse/pages/testing';
import { describe, expect, test } from 'vitest';
import { ME } from '../../../testing/client.ts';
import { CAN_RUN, runCode } from '../../../testing/run-code.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The code of an operation in a language, as a reader copies it. */
function codeOf(html: string, operation: string, language: string): string {
  const section = html
    .split('<section class="operation" id="')
    .find((part) => part.startsWith(`${operation}"`));
  const [, code] = section?.split(`data-language="${language}"><code>`) ?? [];
  return (code ?? expect.fail(`no ${language} for ${operation}`))
    .replace(/<\/code>.*$/s, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

describe.for(Object.keys(SNIPPETS) as Language[])('the examples in %s', (language) => {
  test.skipIf(!CAN_RUN[language])('do what the reference says', { timeout: 240_000 }, async () => {
    await using scene = await startTestServer();
    const { html } = await scene.visitor().get('/docs');
    const { shared, admin } = scene.people;
    const { secret } = await apiToken(scene.world, admin);
    const { secret: credential, token } = await scene.orders();
    const print = async (operation: string, bearer = secret) => {
      const code = codeOf(html, operation, language)
        .replace('/orgs/42', `/orgs/${shared.id}`)
        .replace(/("password": ?)"password"/, `$1${JSON.stringify(PASSWORD)}`)
        .replace(/("token": ?\{?")token"/, `$1${token.secret}"`)
        .replace(/token=token/, `token=${token.secret}`);
      return runCode(language, code, { GATEHOUSE_TOKEN: bearer, GATEHOUSE_CREDENTIAL: credential });
    };
    expect(await print('getOrg')).toEqual({
      id: shared.id,
      name: shared.name,
      description: shared.description,
    });
    expect(await print('signIn')).toEqual({ token: expect.any(String) });
    expect(await print('introspectToken')).toMatchObject({ active: true, scope: 'orders:read' });
    const headers = JSON.stringify(await print('verifyScope', token.secret)).toLowerCase();
    // Go prints a list for each header.
    expect(headers.replace(/:\[("[^"]*")\]/g, ':$1')).toContain('"x-gatehouse-scopes":"orders:read"');
    // A program in Go is compiled first. The four programs above have every part of one.
    if (language === 'Go') return;
    expect(await print('getMe')).toMatchObject({ email: admin.email });
    expect(await print('getJwks')).toMatchObject({ keys: expect.any(Array) });
    expect(await print('getPaserkKeys')).toMatchObject({ keys: expect.any(Array) });
    expect(await print('getOpenApiDocument')).toMatchObject({ paths: { [ME]: {} } });
  });
});
