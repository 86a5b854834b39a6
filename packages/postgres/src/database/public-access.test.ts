import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { aTestDatabase, connectClient } from '../../testing/open-test-store.ts';
import { createPostgresStoreProbe } from './primary/store-probe.ts';

/** A database, and roles that other tests know nothing of. */
async function arrange() {
  const { url, database } = await aTestDatabase({ empty: true });
  const admin = await connectClient(url);
  const name = new URL(url).pathname.slice(1);
  // PostgreSQL's default.
  await admin.query(`grant connect, temporary on database ${name} to public`);
  const roles: string[] = [];
  onTestFinished(async () => {
    await admin.query(`alter database ${name} owner to current_user`);
    for (const role of roles) {
      await admin.query(`revoke all on database ${name} from ${role}; drop role ${role}`);
    }
  });
  const createRole = async (attributes: string) => {
    const role = `role_${randomBytes(8).toString('hex')}`;
    await admin.query(`create role ${role} ${attributes}`);
    roles.push(role);
    return role;
  };
  const probe = createPostgresStoreProbe(database);
  return {
    name,
    createRole,
    run: (statement: string) => admin.query(statement),
    access: () => probe.publicAccess(),
    /** Only the roles of this test. */
    letIn: async () =>
      ((await probe.publicAccess())?.otherRoles ?? []).filter((role) => roles.includes(role)),
  };
}

test('roles may connect, unless connect is revoked from public', async () => {
  const { name, createRole, run, access, letIn } = await arrange();
  const role = await createRole('login');
  expect(await letIn()).toEqual([role]);
  expect(await access()).toMatchObject({ database: name, ownRole: expect.stringMatching(/./) });
  await run(`revoke connect, temporary on database ${name} from public`);
  expect(await access()).toBeUndefined();
});

test('roles with a grant of their own, owners, superusers and roles without login are not listed', async () => {
  const { name, createRole, run, access, letIn } = await arrange();
  const [owner, monitoring, group] = [
    await createRole('login'),
    await createRole('login'),
    await createRole('nologin'),
  ];
  await createRole(`login in role ${group}`);
  await createRole(`login in role ${owner}`);
  const role = await createRole('login');
  await run(`grant ${owner} to current_user`);
  await run(`alter database ${name} owner to ${owner}`);
  await run(`grant connect on database ${name} to ${monitoring}, ${group}`);
  expect(await letIn()).toEqual([role]);
  const { rows: superusers } = await run('select rolname from pg_roles where rolsuper');
  expect(superusers).not.toEqual([]);
  const listed = (await access())?.otherRoles;
  for (const { rolname } of superusers) expect(listed).not.toContain(rolname);
});
