import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWithRights } from '@gatehouse/embedded-postgres/testing';
import type { TestDatabase, TestSchema } from '@gatehouse/test-database';
import { execute } from '../stage/postgres.ts';

/** Creates databases as `createTestDatabase` does. */
export type CreateDatabase = (schema?: TestSchema) => Promise<TestDatabase>;

/** A PostgreSQL whose role is a superuser, so that its databases can have settings that only a superuser may give. */
export async function openSuperusersServer(): Promise<AsyncDisposable & { readonly create: CreateDatabase }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-superuser-'));
  const postgres = await openWithRights({ dataDir, settings: { fsync: 'off' } }, (role) => [
    `ALTER ROLE ${role} SUPERUSER`,
  ]);
  const templates = new Map<string, Promise<string>>();
  let count = 0;

  async function make(schema: TestSchema): Promise<string> {
    await execute(postgres.url, `create database ${schema.name}`);
    await schema.migrate(urlOf(postgres.url, schema.name));
    return schema.name;
  }

  return {
    async create(schema) {
      const template = schema && (templates.get(schema.name) ?? make(schema));
      if (schema && template) templates.set(schema.name, template);
      count += 1;
      const name = `database_${count}`;
      await execute(postgres.url, `create database ${name} ${template ? `template ${await template}` : ''}`);
      // As in the documentation: otherwise `doctor` would say so.
      await execute(postgres.url, `revoke connect, temporary on database ${name} from public`);
      const drop = () => execute(postgres.url, `drop database ${name} with (force)`);
      return { url: urlOf(postgres.url, name), drop, [Symbol.asyncDispose]: drop };
    },
    async [Symbol.asyncDispose]() {
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = database;
  return url.href;
}
