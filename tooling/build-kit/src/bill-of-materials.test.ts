import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { billOfMaterials } from './bill-of-materials.ts';
import { lockedLibraries } from './locked-libraries.ts';
import { ROOT } from './run.ts';

const MANIFEST = { name: '@acme/tool', version: '1.0.0', license: 'Apache-2.0' };

const LOCKFILE = parse(`
packages:
  a@1.0.0: { resolution: { integrity: sha512-AAAA } }
  b@2.0.0: { resolution: { integrity: sha512-BBBB }, peerDependencies: { peer: '*' } }
  '@s/c@3.0.0': { resolution: { integrity: sha512-CCCC } }
  d@4.0.0: { resolution: { integrity: sha512-DDDD } }
  peer@5.0.0: { resolution: { integrity: sha512-EEEE } }
snapshots:
  a@1.0.0: { dependencies: { b: 2.0.0(peer@5.0.0) }, optionalDependencies: { '@s/c': 3.0.0 } }
  b@2.0.0(peer@5.0.0): { dependencies: { peer: 5.0.0, d: 4.0.0 } }
  '@s/c@3.0.0': { dependencies: { d: 4.0.0 } }
  d@4.0.0: {}
  peer@5.0.0: {}
`);

test('the libraries of a library are those of the lockfile, without peers', () => {
  expect(
    lockedLibraries(['a@1.0.0'], LOCKFILE).map(({ name, version, isOptional, dependencies }) => [
      `${name}@${version}`,
      isOptional,
      dependencies,
    ]),
  ).toEqual([
    ['@s/c@3.0.0', true, ['d@4.0.0']],
    ['a@1.0.0', false, ['@s/c@3.0.0', 'b@2.0.0']],
    ['b@2.0.0', false, ['d@4.0.0']],
    ['d@4.0.0', false, []],
  ]);
  expect(() => lockedLibraries(['e@1.0.0'], LOCKFILE)).toThrow('pnpm-lock.yaml has no e@1.0.0');
});

test('a bill of materials has what is in a package, what is installed beside it, and the hashes of both', () => {
  const zod = realpathSync(join(ROOT, 'packages/extension-kit/node_modules/zod'));
  const bill = billOfMaterials(MANIFEST, { bundled: [zod], installed: ['sodium-native@5.1.0'] });
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  const of = (name: string) => bill.components.find((each) => each.name === name) ?? expect.fail(name);
  expect(of('zod')).toMatchObject({
    purl: expect.stringMatching(/^pkg:npm\/zod@\d/),
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    properties: [{ name: 'gatehouse:delivery', value: 'in this package' }],
  });
  expect(of('require-addon').properties).toEqual([
    { name: 'gatehouse:delivery', value: 'installed beside it' },
  ]);
  const references = new Set(bill.components.map((each) => each['bom-ref']));
  expect(references.size).toBe(bill.components.length);
  const [root] = bill.dependencies.filter(({ ref }) => ref === 'pkg:npm/%40acme/tool@1.0.0');
  expect(root?.dependsOn).toEqual(expect.arrayContaining([of('zod').purl, of('sodium-native').purl]));
  for (const { dependsOn } of bill.dependencies)
    for (const each of dependsOn) expect(references).toContain(each);
});

test('the same contents make the same document, and others another serial number', () => {
  const of = (installed: readonly string[]) => billOfMaterials(MANIFEST, { installed });
  expect(of(['zod@4.6.7'])).toEqual(of(['zod@4.6.7']));
  expect(of(['zod@4.6.7']).serialNumber).not.toBe(of([]).serialNumber);
  expect(of([]).serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});
