import { defineRefusals, type Extension } from '@gatehouse/extension-kit';
import type { Route } from '@gatehouse/extension-kit/http';
import { shiftNotes } from '@gatehouse/shift-notes';
import { expect, test, vi } from 'vitest';
import { loadServedExtensions, warnOfOpenRoutes } from './load-extension.ts';

test.each(['not_found', 'token_name_taken', 'internal_error'])(
  'an extension with the refusal %s does not let a server start',
  async (code) => {
    const refusals = defineRefusals({ [code]: { status: 409, title: 'It is taken.', exit: 'conflict' } });
    await expect(loadServedExtensions([{ ...shiftNotes, refusals }])).rejects.toThrow(
      `Gatehouse and shift-notes have the same refusal: ${code}`,
    );
    expect(await loadServedExtensions([shiftNotes])).toHaveLength(1);
  },
);

test('a route that was packed without a rule is loaded, and told of', async () => {
  const warn = vi.fn();
  warnOfOpenRoutes(await loadServedExtensions([shiftNotes]), { warn });
  expect(warn).not.toHaveBeenCalled();

  const { routes, ...layer } = (await shiftNotes.http?.()) ?? expect.fail();
  const unsaid = routes.map(({ rule: _, ...route }) => route as Route);
  const extension = { ...shiftNotes, http: async () => ({ ...layer, routes: unsaid }) } as Extension;
  const loaded = await loadServedExtensions([extension]);
  warnOfOpenRoutes(loaded, { warn });
  expect(warn.mock.calls).toEqual(
    unsaid.map(({ method, path }) => [
      { extension: 'shift-notes', route: `${method} ${path}` },
      'the route is open to everyone: it has no rule, and does not say that it is public',
    ]),
  );
});
