import type { KeyId } from '../signing-keys/signing-key.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenFormat } from '../tokens/token-format.ts';
import type { PublicAccess } from './probes.ts';

/** What is looked at, in this order: what comes later needs what comes before. */
export const HEALTH_CHECKS = [
  'database',
  'schema',
  'clock',
  'change_feed',
  'database_access',
  'signing_keys',
  'master_key',
  'unused_tokens',
  'never_expiring_tokens',
  'inactive_creators',
  'usage',
] as const;

export type HealthCheck = (typeof HEALTH_CHECKS)[number];

/** How many there are; past a limit they are not counted any more. */
export interface TokenCount {
  readonly count: number;
  /** There are more than `count`. */
  readonly more: boolean;
}

/** What somebody has to do something about. */
export type Finding =
  | { readonly code: 'database_unreachable'; readonly reason: string }
  /** Other users can write in the folder of the database, which is not opened then. */
  | { readonly code: 'data_folder_exposed'; readonly reason: string }
  | { readonly code: 'schema_behind' }
  | { readonly code: 'schema_ahead' }
  /** How far this machine's clock is ahead of the database's, in milliseconds. */
  | { readonly code: 'clock_skewed'; readonly skewMs: number }
  | { readonly code: 'change_feed_untrusted'; readonly reason: string }
  | ({ readonly code: 'database_open_to_public' } & PublicAccess)
  | { readonly code: 'no_active_key'; readonly format: TokenFormat }
  | {
      readonly code: 'key_left_staged';
      readonly keyId: KeyId;
      readonly format: TokenFormat;
      readonly since: Instant;
    }
  | { readonly code: 'key_retirable'; readonly keyId: KeyId; readonly format: TokenFormat }
  | { readonly code: 'master_key_unusable'; readonly reason: string }
  | { readonly code: 'master_key_rejected'; readonly keyIds: readonly KeyId[] }
  | ({ readonly code: 'tokens_unused'; readonly days: number } & TokenCount)
  | ({ readonly code: 'tokens_never_expiring' } & TokenCount)
  | ({ readonly code: 'tokens_of_disabled_users' } & TokenCount)
  | ({ readonly code: 'tokens_of_suspended_accounts' } & TokenCount)
  | { readonly code: 'usage_behind'; readonly storedAt: Instant; readonly lagMs: number }
  /** The check itself met with a fault, which is a finding too. */
  | { readonly code: 'check_failed'; readonly check: HealthCheck; readonly reason: string };

export type FindingCode = Finding['code'];

/** Why a check was not made. */
export type SkipReason =
  | 'database_unreachable'
  | 'data_folder_exposed'
  | 'schema_not_current'
  | 'no_keys'
  | 'no_master_key';

export type CheckOutcome =
  /** `no_usage`: no server stored any, lately; so none was late. */
  | { readonly status: 'passed'; readonly remark?: 'no_usage' }
  | { readonly status: 'failed'; readonly findings: readonly [Finding, ...Finding[]] }
  | { readonly status: 'skipped'; readonly because: SkipReason };

/** The outcome of each check, in the order of `HEALTH_CHECKS`. */
export type HealthReport = readonly ({ readonly check: HealthCheck } & CheckOutcome)[];

/** All that was found; nothing where all is well. */
export function findingsOf(report: HealthReport): readonly Finding[] {
  return report.flatMap((outcome) => (outcome.status === 'failed' ? outcome.findings : []));
}

/** What is known where there is no way to the database at all. */
export function databaseNotOpened(
  finding: Extract<Finding, { code: 'database_unreachable' | 'data_folder_exposed' }>,
): HealthReport {
  return HEALTH_CHECKS.map((check) =>
    check === 'database'
      ? { check, status: 'failed', findings: [finding] }
      : { check, status: 'skipped', because: finding.code },
  );
}

/** Passed, unless something was found. */
export function outcomeOf(findings: readonly Finding[]): CheckOutcome {
  const [first, ...others] = findings;
  return first ? { status: 'failed', findings: [first, ...others] } : { status: 'passed' };
}
