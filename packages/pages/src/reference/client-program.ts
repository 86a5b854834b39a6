/**
 * A program with the typed client, as in packages/client/README.md, where a test compiles and runs it. An origin needs no
 * escaping.
 */
export const clientProgram = (origin: string) => `import { createClient } from '@gatehouse/client';

const client = createClient({
  baseUrl: process.env['GATEHOUSE_URL'] ?? '${origin}',
  // Called for each request: the client uses a rotated token without a restart.
  token: () => process.env['GATEHOUSE_TOKEN'] ?? '',
});

const answer = await client.getOrg(Number(process.env['ORGANIZATION'] ?? 1));
switch (answer.status) {
  case 200:
    console.log(answer.body.name);
    break;
  case 404:
    console.log('There is no such organization.');
    break;
  default:
    throw new Error(answer.status === 304 ? 'not asked for' : answer.body.title);
}`;
