import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PASSWORD } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { ME } from '../../../testing/client.ts';
import { apiToken } from '../../../testing/population.ts';
import { serveVisitors } from '../../../testing/serve-visitors.ts';
import { type Language, SNIPPETS } from './snippets.ts';

const run = promisify(execFile);

/** How each language is run, with the code as its last argument. */
const RUNNERS: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  curl: ['bash', '-c'],
  TypeScript: [process.execPath, '--no-warnings', '--input-type=module-typescript', '--eval'],
  Python: ['python3', '-c'],
};

const isInstalled = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  );

const IS_THERE: Readonly<Record<Language, boolean>> = {
  curl: await isInstalled('curl'),
  TypeScript: true,
  Python: await isInstalled('python3'),
};
for (const [language, isThere] of Object.entries(IS_THERE)) {
  if (!isThere)
    process.stderr.write(`SKIPPED: the examples in ${language} were not run: it is not installed\n`);
}

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
  test.skipIf(!IS_THERE[language])('do what the reference says', { timeout: 60_000 }, async () => {
    await using scene = await serveVisitors();
    const { html } = await scene.visitor().get('/docs');
    const { shared, admin } = scene.people;
    const { secret } = await apiToken(scene.world, admin);
    const print = async (operation: string) => {
      const code = codeOf(html, operation, language)
        .replace('/orgs/42', `/orgs/${shared.id}`)
        .replace(/("password": ?)"password"/, `$1${JSON.stringify(PASSWORD)}`);
      const [program, ...options] = RUNNERS[language];
      const { stdout } = await run(program, [...options, code], {
        env: { ...process.env, GATEHOUSE_TOKEN: secret },
      });
      return JSON.parse(stdout);
    };
    expect(await print('getOrg')).toEqual({
      id: shared.id,
      name: shared.name,
      description: shared.description,
    });
    expect(await print('getMe')).toMatchObject({ email: admin.email });
    expect(await print('signIn')).toEqual({ token: expect.any(String) });
    expect(await print('getJwks')).toMatchObject({ keys: expect.any(Array) });
    expect(await print('getPaserkKeys')).toMatchObject({ keys: expect.any(Array) });
    expect(await print('getOpenApiDocument')).toMatchObject({ paths: { [ME]: {} } });
  });
});
