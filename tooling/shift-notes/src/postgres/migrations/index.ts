import type { AnyMigration } from '@gatehouse/extension-kit/postgres';
import * as init from './0001-init.ts';

/** All migrations by the name of their file. They only go forward, and a released one never changes. */
export const migrations: Readonly<Record<string, AnyMigration>> = {
  '0001-init': init,
};
