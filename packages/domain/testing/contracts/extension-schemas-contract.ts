import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/accounts/index.ts';
import type { ExtensionSchemas } from '../../src/extensions/index.ts';
import { err, ok, type Repositories } from '../../src/index.ts';
import type { OrganizationId } from '../../src/organizations/index.ts';
import { anEvent } from '../fixtures.ts';

/** An installation with the extensions `work-orders` and `never-migrated`. */
export interface ArrangedExtensions {
  readonly schemas: ExtensionSchemas;
  readonly audit: Repositories['audit'];
  /** The tables of `work-orders` are `orders`, with two rows of this organization and one of another, and `parts`, empty. */
  readonly organizationId: OrganizationId;
  /** The account of that organization. */
  readonly accountId: AccountId;
  close(): Promise<void>;
}

/** The contract of every ExtensionSchemas. */
export function extensionSchemasContract(name: string, open: () => Promise<ArrangedExtensions>): void {
  describe(`${name} keeps the contract of ExtensionSchemas`, () => {
    let arranged: ArrangedExtensions;
    beforeEach(async () => {
      arranged = await open();
    });
    afterEach(() => arranged?.close());

    const TABLES = [
      { table: 'orders', rows: 3 },
      { table: 'parts', rows: 0 },
    ];
    const NOT_FOUND = err({ code: 'extension_schema_not_found' });
    const newestAction = async () => (await arranged.audit.list({ limit: 1 }))[0]?.event.action;

    test('each extension has a state, also one that was never migrated', async () => {
      expect(await arranged.schemas.states()).toEqual([
        { name: 'work-orders', state: 'current' },
        { name: 'never-migrated', state: 'behind' },
      ]);
    });

    test('what belongs to an organization is counted, in words', async () => {
      const { schemas, organizationId } = arranged;
      const counted = { count: 2, one: 'work order', several: 'work orders' };
      expect(await schemas.countBelongings(organizationId)).toEqual([counted]);
      expect(await schemas.countBelongings(888_888_888 as OrganizationId)).toEqual([]);
    });

    test('what belongs to the organizations of an account is counted up to a limit', async () => {
      const { schemas, accountId } = arranged;
      const words = { one: 'work order', several: 'work orders' };
      expect(await schemas.countBelongingsOfAccount(accountId, 9)).toEqual([{ count: 2, ...words }]);
      expect(await schemas.countBelongingsOfAccount(accountId, 1)).toEqual([{ count: 1, ...words }]);
      expect(await schemas.countBelongingsOfAccount(888_888_888 as AccountId, 9)).toEqual([]);
    });

    test('what belongs to organizations that are not there is counted', async () => {
      const words = { one: 'work order', several: 'work orders' };
      expect(await arranged.schemas.countLost()).toEqual([
        { extension: 'work-orders', belongsTo: 'organization', count: 1, ...words },
      ]);
    });

    test('tables are listed with their rows', async () => {
      expect(await arranged.schemas.findTables('work-orders')).toEqual(ok(TABLES));
    });

    test.each(['never-migrated', 'unknown', 'public', 'pg_catalog', 'Work-Orders', ''])(
      'there is no schema of an extension %j, and nothing is dropped',
      async (unknown) => {
        const { schemas } = arranged;
        expect(await schemas.findTables(unknown)).toEqual(NOT_FOUND);
        expect(await schemas.drop(unknown, () => anEvent({ action: 'extension.dropped' }))).toEqual(
          NOT_FOUND,
        );
        expect(await newestAction()).not.toBe('extension.dropped');
        expect(await schemas.findTables('work-orders')).toEqual(ok(TABLES));
      },
    );

    test('dropped tables are gone, and their event says what they had', async () => {
      const { schemas, organizationId } = arranged;
      const drop = () =>
        schemas.drop('work-orders', (dropped) =>
          anEvent({ action: 'extension.dropped', details: { tables: dropped.map(({ table }) => table) } }),
        );
      expect(await drop()).toEqual(ok(TABLES));
      expect((await arranged.audit.list({ limit: 1 }))[0]?.event).toMatchObject({
        action: 'extension.dropped',
        details: { tables: ['orders', 'parts'] },
      });
      expect(await schemas.findTables('work-orders')).toEqual(NOT_FOUND);
      expect(await schemas.countBelongings(organizationId)).toEqual([]);
      expect((await schemas.states())[0]).toEqual({ name: 'work-orders', state: 'behind' });
      expect(await drop()).toEqual(NOT_FOUND);
    });

    test('without its event nothing is dropped', async () => {
      const { schemas } = arranged;
      const dropped = schemas.drop('work-orders', () => {
        throw new Error('no event');
      });
      await expect(dropped).rejects.toThrow('no event');
      expect(await schemas.findTables('work-orders')).toEqual(ok(TABLES));
    });
  });
}
