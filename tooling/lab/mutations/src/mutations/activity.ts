import { type Mutation, mutation } from '../mutation.ts';

const ACTIVITY = 'packages/pages/src/activity';
const EXPORT = `${ACTIVITY}/export.ts`;
const WRITE_EXPORT = `${ACTIVITY}/export/write-export.ts`;
const CSV = `${ACTIVITY}/export/csv.ts`;

/** Exports of the activity: requirements 106 and 107. */
export const ACTIVITY_MUTATIONS: readonly Mutation[] = [
  mutation([106], 'Members export, and read the events of every account.', [
    {
      file: 'packages/domain/src/access/rules.ts',
      find: "defineRule('audit:read-own', { users: 'admins' })",
      replace: "defineRule('audit:read-own', { users: 'all' })",
    },
    {
      file: 'packages/domain/src/audit/list-account-audit-events.ts',
      find: '        accountId,\n        actions',
      replace: '        actions',
    },
  ]),
  mutation([106], 'Users and tokens of other accounts are found by their names.', [
    {
      file: 'packages/postgres/src/audit/find-named.ts',
      find: '    where ${ofAccount} and case when',
      replace: '    where case when',
    },
    {
      file: 'packages/postgres/src/audit/find-named.ts',
      find: 'const exact = sql`select id from users where ${ofAccount} and',
      replace: 'const exact = sql`select id from users where',
    },
    {
      file: 'packages/postgres/src/audit/find-named.ts',
      find: 'select id from tokens where ${ofAccount} and kind',
      replace: 'select id from tokens where kind',
    },
  ]),
  mutation([106], 'Events of another account about the same user or subject are found.', {
    file: 'packages/postgres/src/audit/event-conditions.ts',
    find: 'if (accountId !== undefined) conditions',
    replace: 'if (accountId === 0) conditions',
  }),
  mutation([106], 'A page of another site begins an export.', {
    file: EXPORT,
    find: 'if (visit.isFromOtherOrigin) return',
    replace: 'if (visit.isFromOtherOrigin && false) return',
  }),
  mutation([106], 'Filters that are not valid are ignored by an export.', {
    file: EXPORT,
    find: 'address.leftOut.length > 0',
    replace: 'address.leftOut.length > 99',
  }),
  mutation([106], 'An export goes on for a user who is no longer an admin.', {
    file: EXPORT,
    find: "again.state === 'open' && (await",
    replace: "again.state !== 'open' || true || (await",
  }),
  mutation([106], 'An export has no end.', [
    { file: WRITE_EXPORT, find: 'ports.clock.now() >= end', replace: 'ports.clock.now() >= end * 2' },
    { file: WRITE_EXPORT, find: 'MAX_EXPORTED = 100_000', replace: 'MAX_EXPORTED = 1_000_000' },
  ]),
  mutation([106], 'Any number of exports run at once.', {
    file: EXPORT,
    find: '{ total: 4, each: 1 }',
    replace: '{ total: 400, each: 100 }',
  }),
  mutation([106], 'An export waits for its reader without end.', {
    file: 'packages/pages/src/http/patient-writer.ts',
    find: 'MAX_WAIT_MS = 30_000',
    replace: 'MAX_WAIT_MS = 30_000_000',
  }),
  mutation([107], 'A cell that begins like a formula is written as it is.', {
    file: CSV,
    find: 'FORMULA.test(escaped) ?',
    replace: 'FORMULA.test(escaped) && false ?',
  }),
  mutation([107], 'A cell has the semicolons and line breaks of its text.', {
    file: CSV,
    find: 'SEPARATORS = /[;\\n]/g',
    replace: 'SEPARATORS = /[\\v]/g',
  }),
  mutation([107], 'A cell has the invisible characters of its text.', {
    file: CSV,
    find: 'escapeInvisible(text).replace(',
    replace: 'String(text).replace(',
  }),
];
