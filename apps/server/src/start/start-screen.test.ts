import { expect, test } from 'vitest';
import type { Demo } from './demo-file.ts';
import { startScreen } from './start-screen.ts';

const DEMO = {
  account: { id: 1, name: 'Acme' },
  admin: { email: 'ada@acme.example', password: 'pass & word' },
  organizations: [{ id: 7 }],
  token: 'v4.public.x',
  // The screen shows no other part of the demo.
} as unknown as Demo;

const server = (pagesUrl?: string) => ({
  url: 'http://127.0.0.1:8080',
  opsUrl: 'http://127.0.0.1:8081',
  demoPath: '.gatehouse/demo.json',
  pagesUrl,
});

test('the page comes first, with the sign-in, and then the commands', () => {
  expect(startScreen(DEMO, server('http://127.0.0.1:8080'))).toBe(`
  Gatehouse serves http://127.0.0.1:8080

  Open http://127.0.0.1:8080/settings/api in a browser, and sign in to the demo account Acme
    email     ada@acme.example
    password  pass & word

  Or sign in to the API, which returns a token

    curl -d 'email=ada%40acme.example&password=pass%20%26%20word' http://127.0.0.1:8080/api/v1/auth.json

  Use the account’s API token
    v4.public.x

    curl -H 'Authorization: Bearer v4.public.x' http://127.0.0.1:8080/api/v1/orgs/7

  All of this is in .gatehouse/demo.json. Health: http://127.0.0.1:8081/ready. Ctrl-C stops the server.

`);
});

test('without pages no browser is mentioned', () => {
  const screen = startScreen(DEMO, server());
  expect(screen).not.toContain('browser');
  expect(screen).toContain(`  Sign in to the demo account Acme
    email     ada@acme.example
    password  pass & word

    curl -d`);
});

test('without a demo it says how to begin again', () => {
  expect(startScreen(undefined, server())).toContain('there is no demo to sign in to');
});

test('the commands can be pasted if the address has brackets, which shells take for a pattern', () => {
  const screen = startScreen(DEMO, { ...server(), url: 'http://[::1]:8080' });
  expect(screen).toContain(`%20word' 'http://[::1]:8080/api/v1/auth.json'\n`);
  expect(screen).toContain(`v4.public.x' 'http://[::1]:8080/api/v1/orgs/7'\n`);
});
