// All migrations, by the name of their file. Migrations are never undone, and a released migration never changes.
export * as '0001-init' from './0001-init.ts';
export * as '0002-changes-and-usage' from './0002-changes-and-usage.ts';
export * as '0003-administration' from './0003-administration.ts';
export * as '0004-known-addresses' from './0004-known-addresses.ts';
export * as '0005-sessions' from './0005-sessions.ts';
export * as '0006-account-audit' from './0006-account-audit.ts';
export * as '0007-usage-addresses' from './0007-usage-addresses.ts';
export * as '0008-token-lists' from './0008-token-lists.ts';
export * as '0009-account-admins' from './0009-account-admins.ts';
export * as '0010-token-pages' from './0010-token-pages.ts';
export * as '0011-searched-addresses' from './0011-searched-addresses.ts';
export * as '0012-idle-tokens' from './0012-idle-tokens.ts';
export * as '0013-audit-seals' from './0013-audit-seals.ts';
export * as '0014-normal-passwords' from './0014-normal-passwords.ts';
export * as '0015-operators-for-users' from './0015-operators-for-users.ts';
export * as '0016-session-renewal' from './0016-session-renewal.ts';
export * as '0017-email-keys' from './0017-email-keys.ts';
