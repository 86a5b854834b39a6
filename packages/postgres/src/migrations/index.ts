import type { AnyMigration } from '@gatehouse/extension-kit/postgres';
import * as init from './0001-init.ts';
import * as changesAndUsage from './0002-changes-and-usage.ts';
import * as administration from './0003-administration.ts';
import * as knownAddresses from './0004-known-addresses.ts';
import * as sessions from './0005-sessions.ts';
import * as accountAudit from './0006-account-audit.ts';
import * as usageAddresses from './0007-usage-addresses.ts';
import * as tokenLists from './0008-token-lists.ts';
import * as accountAdmins from './0009-account-admins.ts';
import * as tokenPages from './0010-token-pages.ts';
import * as searchedAddresses from './0011-searched-addresses.ts';
import * as idleTokens from './0012-idle-tokens.ts';
import * as auditSeals from './0013-audit-seals.ts';
import * as normalPasswords from './0014-normal-passwords.ts';
import * as operatorsForUsers from './0015-operators-for-users.ts';
import * as sessionRenewal from './0016-session-renewal.ts';
import * as emailKeys from './0017-email-keys.ts';

/** All migrations by the name of their file. They only go forward, and a released one never changes. */
export const migrations: Readonly<Record<string, AnyMigration>> = {
  '0001-init': init,
  '0002-changes-and-usage': changesAndUsage,
  '0003-administration': administration,
  '0004-known-addresses': knownAddresses,
  '0005-sessions': sessions,
  '0006-account-audit': accountAudit,
  '0007-usage-addresses': usageAddresses,
  '0008-token-lists': tokenLists,
  '0009-account-admins': accountAdmins,
  '0010-token-pages': tokenPages,
  '0011-searched-addresses': searchedAddresses,
  '0012-idle-tokens': idleTokens,
  '0013-audit-seals': auditSeals,
  '0014-normal-passwords': normalPasswords,
  '0015-operators-for-users': operatorsForUsers,
  '0016-session-renewal': sessionRenewal,
  '0017-email-keys': emailKeys,
};
