import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages with a promise of their own, and so with a version of their own. Both have the same. */
const KIT = ['packages/domain', 'packages/extension-kit'];

/** Places outside of manifests that name the version of the release, each with the pattern of the version. */
const PLACES: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['Dockerfile', /image\.version="([^"]+)"/],
  ['docs/operate/kubernetes/overlays/example/kustomization.yaml', /newTag: (\S+)/],
];

/** Documents that name a file of the release, such as `gatehouse-client-1.2.0.tgz`. */
const TARBALL = /\bgatehouse(?<part>-[a-z-]+)?-(?<version>\d+\.\d+\.\d+)\.tgz/g;

/**
 * Finds versions that differ from the version of the release, which is that of the root's package.json. The extension
 * kit and the domain have another one, and it is the same for both.
 *
 * @returns a line for each
 */
export function wrongVersions(root: string): readonly string[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const versionOf = (file: string): string => JSON.parse(read(file)).version;
  const release = versionOf('package.json');
  const kit = versionOf('packages/extension-kit/package.json');
  const manifests = globSync('{apps,packages,tooling,tooling/lab}/*/package.json', { cwd: root }).toSorted();
  const named = [
    ...manifests.map((file) => {
      const isKit = KIT.some((folder) => file === `${folder}/package.json`);
      return { file, version: versionOf(file), expected: isKit ? kit : release };
    }),
    ...PLACES.map(([file, pattern]) => ({
      file,
      version: pattern.exec(read(file))?.[1] ?? 'none',
      expected: release,
    })),
    ...globSync('{README.md,docs/**/*.md,packages/*/README.md}', { cwd: root })
      // A decision names the version of its time.
      .filter((file) => !file.startsWith('docs/adr/'))
      .flatMap((file) => tarballsIn(read(file)).map((tarball) => ({ file, ...tarball })))
      .map(({ file, part, version }) => {
        const isKit = KIT.some((folder) => folder === `packages/${part}`);
        return { file, version, expected: isKit ? kit : release };
      }),
  ];
  return named
    .filter(({ version, expected }) => version !== expected)
    .map(({ file, version, expected }) => `${file} has the version ${version}: expected ${expected}`);
}

function tarballsIn(text: string) {
  return Array.from(text.matchAll(TARBALL), ({ groups }) => ({
    part: groups?.part?.slice(1) ?? '',
    version: groups?.version ?? '',
  }));
}
