import { type Mutation, mutation } from '../mutation.ts';

const SCRAM_GUARD = 'packages/scram-client/src/scram-guard.ts';
const SOCKET_FOLDER = 'packages/embedded-postgres/src/socket-folder.ts';
const START_POSTMASTER = 'packages/embedded-postgres/src/start-postmaster.ts';
const SET_UP = 'packages/embedded-postgres/src/set-up.ts';
const POSTMASTER_LOG = 'packages/embedded-postgres/src/start-postmaster.ts';
const PRIVATE_FILES = 'packages/key-encryption/src/private-files.ts';
const PRIMARY_ONLY = 'packages/postgres/src/database/primary/primary-only.ts';
const CACHED_KEYS = 'packages/cache/src/cached-signing-keys.ts';

/** The database, reads without a token, and the set-up: requirements 41 to 48, and 53. */
export const INFRASTRUCTURE: readonly Mutation[] = [
  mutation([41], 'A server that asks for the password in clear text gets it.', {
    file: SCRAM_GUARD,
    find: "return refuse('asks for the password in clear text');",
    replace: 'return pass(event, ...args);',
  }),
  mutation([42], 'The signing keys are read each time.', {
    file: CACHED_KEYS,
    find: '      held = found;\n',
  }),
  mutation([42], 'Requests do not share a read of the signing keys.', {
    file: 'packages/postgres/src/signing-keys/signing-key-repository.ts',
    find: "lists('all', () =>",
    replace: "((_: string, read: () => Promise<readonly SigningKey[]>) => read())('all', () =>",
  }),
  mutation([42], 'Changed signing keys stay cached.', {
    file: CACHED_KEYS,
    find: "if (kind === 'key' || kind === 'everything') held = undefined;",
  }),
  mutation([43], 'npm resolves the versions of the set-up instead of using the locked ones.', {
    file: 'tooling/setup/src/toolchain.mjs',
    find: "...['ci', ",
    replace: "...['install', '--no-package-lock', ",
  }),
  mutation([43], 'The set-up fetches packages into the folder that the command line uses.', {
    file: 'tooling/setup/src/toolchain.mjs',
    find: "join(folder, 'unverified')",
    replace: 'folder',
  }),
  mutation([43], 'The set-up succeeds if pnpm omitted an optional package.', {
    file: 'tooling/setup/src/install-dependencies.mjs',
    find: 'if (missing.length > 0)',
    replace: 'if (missing.length < 0)',
  }),
  mutation([43], 'A package of the set-up is locked by its address.', {
    file: 'tooling/setup/toolchain/package-lock.json',
    find: '"node_modules/@pnpm/exe.android-arm64": {',
    replace:
      '"node_modules/planted": { "version": "1.0.0", "resolved": "https://registry.example/planted.tgz" },\n    "node_modules/@pnpm/exe.android-arm64": {',
  }),
  mutation([43], 'A dependency is locked by its address.', {
    file: 'pnpm-lock.yaml',
    find: '\npackages:\n\n',
    replace:
      '\npackages:\n\n  planted@1.0.0:\n    resolution: {tarball: https://registry.example/planted.tgz}\n\n',
  }),
  mutation([44], 'The embedded database listens on the loopback interface.', [
    { file: START_POSTMASTER, find: "listen_addresses: '',", replace: "listen_addresses: '127.0.0.1'," },
    {
      file: SOCKET_FOLDER,
      find: 'export const SOCKET_PORT = 5432;',
      replace: 'export const SOCKET_PORT = 10_000 + Math.floor(20_000 * Math.random());',
    },
  ]),
  mutation([44], 'The folder of the socket is open to other users, and not checked.', [
    {
      file: SOCKET_FOLDER,
      find: '{ mode: () => 0o700, account }',
      replace: '{ mode: () => 0o755, account }',
    },
    { file: SOCKET_FOLDER, find: ' && (found.mode & 0o077) === 0' },
  ]),
  mutation([44], 'Any folder is used for the socket, even another user’s or one behind a link.', [
    {
      file: SOCKET_FOLDER,
      find: 'if (found === undefined || !found.isDirectory()) return false;',
      replace: 'if (found === undefined) return false;',
    },
    {
      file: SOCKET_FOLDER,
      find: 'return found.uid === (account?.uid ?? process.getuid?.()) && (found.mode & 0o077) === 0;',
      replace: 'return found.uid >= 0 || account !== undefined;',
    },
  ]),
  mutation([44], 'The password is sent to any server that asks for it, and the database is restarted late.', [
    {
      file: SCRAM_GUARD,
      find: "return refuse('asks for the password in clear text');",
      replace: 'return pass(event, ...args);',
    },
    {
      file: SCRAM_GUARD,
      find: "return refuse('asks for the password as MD5');",
      replace: 'return pass(event, ...args);',
    },
    {
      file: 'packages/embedded-postgres/src/keep-running.ts',
      find: "onIncident('The embedded PostgreSQL is gone; restarting it.');",
      replace: "onIncident('The embedded PostgreSQL is gone; restarting it.');\n    await delay(2_500);",
    },
  ]),
  mutation([45], 'The role of our programs is a superuser.', {
    file: SET_UP,
    find: "'LOGIN NOSUPERUSER ",
    replace: "'LOGIN SUPERUSER ",
  }),
  mutation([45], 'The superuser may log in.', {
    file: SET_UP,
    find: 'local  all  ${APP_ROLE}  scram-sha-256',
    replace: 'local  all  ${APP_ROLE}  scram-sha-256\nlocal  all  ${SUPERUSER}  trust',
  }),
  mutation([45], 'The superuser keeps its objects in a data folder of the previous version.', {
    file: SET_UP,
    find: '    HAND_OVER,\n',
  }),
  mutation([46], 'The modes of files and folders are not checked.', [
    {
      file: PRIVATE_FILES,
      find: 'const danger = exposed === 0 ?',
      replace: 'const danger = exposed !== -1 ?',
    },
    {
      file: PRIVATE_FILES,
      find: 'exposed === 0 || isSticky',
      replace: 'exposed !== -1 || isSticky',
    },
  ]),
  mutation([46], 'A secret is read from the file that is at the path after the check.', {
    file: 'packages/installation/src/settings/secret-file.ts',
    find: 'readFileSync(file)',
    replace: 'readFileSync(path)',
  }),
  mutation([47], 'Root opens data folders of other users, and writes to any file at the path of the log.', [
    {
      file: 'packages/embedded-postgres/src/foreign-folder.ts',
      find: 'if (process.geteuid?.() !== 0) return;',
      replace: 'if (process.geteuid?.() !== -1) return;',
    },
    { file: POSTMASTER_LOG, find: ' | constants.O_NOFOLLOW' },
    { file: POSTMASTER_LOG, find: 'found.isFile() && found.nlink === 1 && ', replace: 'found.isFile() || ' },
  ]),
  mutation([47], 'Root checks the data folder, but not the folders and links on its path.', [
    {
      file: 'packages/embedded-postgres/src/foreign-folder.ts',
      find: 'await refuseForeign(entry, found);',
      replace: 'if (names.length === 0) await refuseForeign(entry, found);',
    },
    {
      file: 'packages/embedded-postgres/src/prepare-cluster.ts',
      find: 'await refuseForeignFolders(parent);',
    },
  ]),
  mutation([47], 'The user that PostgreSQL runs as can write in root’s data folder.', {
    file: 'packages/embedded-postgres/src/prepare-cluster.ts',
    find: '(mode & 0o777) | 0o011',
    replace: '(mode & 0o777) | 0o033',
  }),
  mutation([48], 'A standby is taken for the primary.', {
    file: PRIMARY_ONLY,
    find: 'case when pg_is_in_recovery()',
    replace: 'case when false',
  }),
  mutation([48], 'A primary that was replaced is trusted again.', {
    file: 'packages/postgres/src/database/primary/primary-watch.ts',
    find: 'timeline < newest.timeline;',
    replace: 'timeline < 0;',
  }),
  mutation([48], 'Statements built by kysely also read from standbys.', {
    file: PRIMARY_ONLY,
    find: 'SelectQueryNode.is(node)',
    replace: 'node === undefined',
  }),
  mutation([53], 'Sessions keep the settings of the database and the role.', {
    file: 'packages/postgres/src/database/pool/connection-pool.ts',
    find: 'client.query(sessionSettings(limits))',
    replace:
      'client.query(`set statement_timeout = ${limits.statementMs}; select current_user as user, current_database() as database`)',
  }),
  mutation([53], 'Transactions begin without an isolation level.', {
    file: 'packages/postgres/src/database/dialect.ts',
    find: '{ ...settings, isolationLevel }',
    replace: 'settings',
  }),
  mutation([53], 'Roles that may create objects in the schema are not looked for.', {
    file: 'packages/postgres/src/database/primary/store-probe.ts',
    find: "coalesce(nspacl, acldefault('n', nspowner))",
    replace: "acldefault('n', nspowner)",
  }),
  mutation([53], 'The owner of the schema is not looked for.', {
    file: 'packages/postgres/src/database/primary/store-probe.ts',
    find: 'select nspowner as role from this\n          union select grantee from this, aclexplode(coalesce(datacl',
    replace: 'select grantee as role from this, aclexplode(coalesce(datacl',
  }),
  mutation([53], 'Functions of our own role in the schema are expected.', {
    file: 'packages/postgres/src/database/primary/store-probe.ts',
    find: "or part.classid not in ('pg_class'::regclass,",
    replace: "or part.classid not in (part.classid, 'pg_class'::regclass,",
  }),
];
