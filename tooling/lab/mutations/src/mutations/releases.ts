import { type Mutation, mutation } from '../mutation.ts';

const RELEASE = 'tooling/release/src';

/** Packages of a release: requirements 238 to 241. */
export const RELEASE_MUTATIONS: readonly Mutation[] = [
  mutation([238], 'The provenance has the time at which the release was made.', {
    file: `${RELEASE}/provenance.ts`,
    find: 'version: { node: process.versions.node }',
    replace: 'version: { node: process.versions.node, at: String(process.hrtime.bigint()) }',
  }),
  mutation([238], 'The provenance does not say that the checkout had changes.', {
    file: `${RELEASE}/provenance.ts`,
    find: 'uncommittedChanges: changes.length > 0',
    replace: 'uncommittedChanges: false',
  }),
  mutation([238], 'A checkout with changes counts as one without.', {
    file: `${RELEASE}/source.ts`,
    find: ".filter((line) => line !== '')",
    replace: '.filter(() => false)',
  }),
  mutation([238], 'A bill of materials has a random serial number.', {
    file: 'tooling/setup/src/image/cyclonedx.mjs',
    find: '`urn:uuid:${uuidOf(hash)}`',
    replace: '`urn:uuid:${uuidOf(hash)}-${process.hrtime.bigint()}`',
  }),
  mutation([239], 'A file with other bytes is no difference.', {
    file: `${RELEASE}/verify-release.ts`,
    find: 'return found === expected',
    replace: "return found !== ''",
  }),
  mutation([239], 'A file that no list names is no difference.', {
    file: `${RELEASE}/verify-release.ts`,
    find: '.filter((name) => !listed.has(name))',
    replace: '.filter(() => false)',
  }),
  mutation([240], 'A bill of materials has no hashes.', {
    file: 'tooling/build-kit/src/bill-of-materials.ts',
    find: "if (digest === '') return [];",
    replace: "if (digest !== '') return [];",
  }),
  mutation([240], 'A package lets the versions of its libraries open.', {
    file: `${RELEASE}/package-program.ts`,
    find: 'installed.map(({ name, version }) => [name, version])',
    replace: 'installed.map(({ name, version }) => [name, `^${version}`])',
  }),
  mutation([240], 'A package has no bill of materials.', {
    file: 'tooling/build-kit/src/pack-folder.ts',
    find: 'const files = [...manifest.files, BILL_OF_MATERIALS];',
    replace: 'const files = manifest.files;',
  }),
  mutation([241], 'Without --dry-run, a release is made.', {
    file: `${RELEASE}/options.ts`,
    find: "if (!values['dry-run']) throw new UsageError(NOT_PUBLISHED);",
  }),
  mutation([241], 'npm reads the configuration of the machine.', {
    file: `${RELEASE}/trial/machine-node.ts`,
    find: "    npm_config_globalconfig: '/dev/null',\n",
  }),
];
