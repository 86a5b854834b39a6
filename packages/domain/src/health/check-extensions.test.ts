import { expect, test } from 'vitest';
import { createInMemoryExtensionSchemas, type InMemoryExtension } from '../../testing/index.ts';
import { createInstallation, findingsIn } from '../../testing/installation.ts';
import { describeFinding } from './health-report.ts';

async function found(extensions: Readonly<Record<string, InMemoryExtension>>) {
  const { world } = await createInstallation();
  const findings = await findingsIn(world, {
    extensionSchemas: createInMemoryExtensionSchemas(world, extensions),
  });
  return findings.map((finding) => describeFinding(finding).message);
}

test('an extension is named whose schema is behind or ahead, and no other', async () => {
  expect(
    await found({
      parts: { state: 'current' },
      'work-orders': { state: 'behind' },
      'shift-notes': { state: 'ahead' },
    }),
  ).toEqual([
    'The schema of the extension work-orders is older than this program needs: the server answers requests for the extension with status 503.',
    'The schema of the extension shift-notes is newer than this program.',
  ]);
});

test('rows whose organization is not there are counted', async () => {
  const lost = { belongsTo: 'organization', one: 'shift note', several: 'shift notes' } as const;
  const message = async (count: number) =>
    found({ 'shift-notes': { state: 'current', lost: { ...lost, count } } });
  expect(await message(1200)).toEqual([
    'The extension shift-notes has 1,200 shift notes of organizations that do not exist.',
  ]);
  expect(await message(1)).toEqual([
    'The extension shift-notes has 1 shift note of organizations that do not exist.',
  ]);
});
