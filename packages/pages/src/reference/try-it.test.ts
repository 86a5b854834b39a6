import { expect, test } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';

/** The forms of the reference with which a reader tries a request, by their paths. */
async function triedForms(): Promise<ReadonlyMap<string, string>> {
  await using scene = await servePages();
  const { html } = await scene.visitor().get('/docs');
  return new Map(
    Array.from(html.matchAll(/<form [^>]*data-try="([^"]*)".*?<\/form>/gs), ([form, path = '']) => [
      path,
      form,
    ]),
  );
}

test('each route that only reads can be tried, and no other', async () => {
  const paths = [...(await triedForms()).keys()];
  expect(paths).toEqual(expect.arrayContaining(['/api/v1/me.json', '/api/v1/orgs/{id}', '/openapi.json']));
  for (const changing of ['/api/v1/auth.json', '/api/v1/introspect', '/api/v1/token-changes'])
    expect(paths).not.toContain(changing);
});

test('a browser puts nothing of a pasted token into an address, and stores nothing of it', async () => {
  const forms = await triedForms();
  expect(forms.size).toBeGreaterThan(4);
  for (const [path, form] of forms) {
    // A field without a name is in no form that is sent, also if the script did not run.
    expect(form, path).not.toMatch(/ (?:name|action|method|value)=/);
    for (const [field] of form.matchAll(/<input[^>]*>/g))
      expect(field, path).toContain(' autocomplete="off"');
    expect(form, path).toMatch(/^<form [^>]* autocomplete="off" hidden>/);
    expect(form, path).not.toContain('type="password"');
  }
  expect(forms.get('/api/v1/me.json')).toContain('data-token');
  expect(forms.get('/openapi.json')).not.toContain('data-token');
});
