import type { Migration } from 'kysely/migration';
import * as init from './0001-init.ts';

/** Every migration by the name of its file. They only go forward, and one that was released never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-init': init,
};
