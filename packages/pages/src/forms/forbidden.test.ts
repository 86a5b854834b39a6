import { err } from '@gatehouse/domain';
import type { ExtensionUndecided, ForbiddenByExtension } from '@gatehouse/domain/guards';
import { apiToken } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';
import { deleteOrganizationPath, NEW_INVITATION, NEW_ORGANIZATION, NEW_TOKEN, rotatePath } from '../paths.ts';

const FORBIDDEN: ForbiddenByExtension = {
  code: 'forbidden_by_extension',
  extension: 'shifts',
  refusal: 'not_now',
  title: 'Nothing is created during a shift <b>.',
};
const TYPED = { Name: 'ERP', 'Read the owner of the token me:read': true };
const UNDECIDED: ExtensionUndecided = { code: 'extension_undecided', extension: 'shifts' };

describe.each([
  [403, FORBIDDEN, 'The extension shifts does not allow this: Nothing is created during a shift <b>.'],
  [503, UNDECIDED, 'The extension shifts, which must allow this, did not answer. Nothing was changed.'],
] as const)('a guard that answers %s', (status, error, words) => {
  const refuse = async () => err(error);
  const guarded = () =>
    servePages({
      useCases: {
        issueToken: refuse,
        rotateToken: refuse,
        inviteUser: refuse,
        createOrganization: refuse,
        deleteOrganization: refuse,
      },
    });

  test.each([
    [NEW_ORGANIZATION, 'Create organization', { Name: 'Foundry' }],
    [NEW_INVITATION, 'Create invitation', { Email: 'bo@acme.example' }],
  ])('shows the form %s again, with what was typed', async (path, submit, typed) => {
    await using scene = await guarded();
    const page = await (await (await scene.signedIn()).get(path)).submit(submit, typed);
    expect(page.status).toBe(status);
    expect(page.text).toContain(words);
    expect(page.html).not.toContain('shift <b>');
    for (const value of Object.values(typed)) expect(page.html).toContain(`value="${value}"`);
  });

  test('shows the forms of tokens again', async () => {
    await using scene = await guarded();
    const { record } = await apiToken(scene.world, scene.people.admin);
    const visitor = await scene.signedIn();
    const created = await (await visitor.get(NEW_TOKEN)).submit('Create token', TYPED);
    expect([created.status, created.text]).toEqual([status, expect.stringContaining(words)]);
    expect(created.html).toContain('value="ERP"');
    const rotated = await (await visitor.get(rotatePath(record.id))).submit('Rotate token');
    expect([rotated.status, rotated.text]).toEqual([status, expect.stringContaining(words)]);
  });

  test('keeps the organization that was to be deleted', async () => {
    await using scene = await guarded();
    const { id, name } = scene.people.closed;
    const form = await (await scene.signedIn()).get(deleteOrganizationPath(id));
    const page = await form.submit('Delete organization', { 'Name of the organization': name });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(words)]);
  });
});
