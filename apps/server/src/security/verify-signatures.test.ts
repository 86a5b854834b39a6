import { readFileSync } from 'node:fs';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { describe, expect, test } from 'vitest';
import { signInWith, tokenIn } from '../../testing/client.ts';
import { CAN_RUN, type RunLanguage, runCode } from '../../testing/run-code.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const page = readFileSync(new URL('../../../../docs/use/verify-signatures.md', import.meta.url), 'utf8');

/** The code of the page, by the name of its language in Markdown. */
const codeIn = (name: string) =>
  new RegExp(`\\n\`\`\`${name}\\n(.*?)\\n\`\`\`\\n`, 's').exec(page)?.[1] ?? expect.fail(`no ${name}`);

const CODE: Readonly<Partial<Record<RunLanguage, string>>> = {
  TypeScript: codeIn('ts'),
  Python: codeIn('python'),
};

describe.for(TOKEN_FORMATS)('a token of the format %s', (format) => {
  test.for(Object.entries(CODE) as [RunLanguage, string][])(
    'is verified by the code in %s of docs/use/verify-signatures.md, and refused when it was changed',
    { timeout: 60_000 },
    async ([language, code], { skip }) => {
      skip(!CAN_RUN[language], `${language} is not installed`);
      await using server = await startTestServer({
        database: 'postgres',
        settings: { TOKEN_FORMAT: format },
      });
      const { email, password } = server.demo.admin;
      const token = tokenIn(await signInWith(server.url, { email, password }));
      const verify = (text: string) =>
        runCode(language, code, { GATEHOUSE_URL: server.url, GATEHOUSE_TOKEN: text });
      expect(await verify(token)).toMatchObject({
        iss: 'gatehouse',
        kind: 'sign-in',
        iat: format === 'jwt' ? expect.any(Number) : expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
      });
      // In the middle of the claims.
      const changed = token.slice(0, 150) + (token[150] === 'A' ? 'B' : 'A') + token.slice(151);
      await expect(verify(changed)).rejects.toThrow();
      await expect(verify(tokenIn(await signInElsewhere(format)))).rejects.toThrow();
    },
  );
});

async function signInElsewhere(format: string) {
  await using server = await startTestServer({ database: 'postgres', settings: { TOKEN_FORMAT: format } });
  const { email, password } = server.demo.admin;
  return await signInWith(server.url, { email, password });
}
