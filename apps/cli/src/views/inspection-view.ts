import type { Instant } from '@gatehouse/domain/time';
import type { InspectedStep, InspectionStep, TokenInspection, TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime, type View } from '@gatehouse/extension-kit/cli';
import { printable } from '../output/printable.ts';
import { documentOf } from './document.ts';
import { tokenView } from './token-view.ts';

/** The condition that each check tests. */
const CONDITIONS: Readonly<Record<InspectionStep, string>> = {
  spelling: 'it has the form of a token',
  key_known: 'its signing key is known',
  signature: 'its signature is valid',
  record: 'it has a record',
  record_key: 'its signing key and format match its record',
  claims: 'its claims match its record and the settings',
  key_in_use: 'its signing key is not retired',
  not_revoked: 'it is not revoked',
  not_expired: 'it is not expired',
  user_active: 'its user is active',
  user_confirmed: 'an identity provider has confirmed its user in time, if the account demands it',
  account_active: 'its account is not suspended',
  network: 'the client is in one of its networks',
};

const PROBLEMS: Readonly<Record<InspectionStep, (report: TokenStatus | null) => string>> = {
  spelling: () => 'it has no known token format (damaged, incomplete, or not a token)',
  key_known: () => 'the token has the id of an unknown signing key',
  signature: () => 'its signature is invalid (damaged, incomplete, or forged)',
  record: () => 'it has no record (pruned, or of another database with the same keys)',
  record_key: () => 'its record has another signing key or format',
  claims: () => 'its claims differ from its record, or from TOKEN_ISSUER or TOKEN_AUDIENCE',
  key_in_use: (report) => `the key that signed it is retired${named(report?.keyId)}`,
  not_revoked: (report) => `it was revoked${on(report?.revocation?.at)}${named(report?.revocation?.reason)}`,
  not_expired: (report) => `it expired${on(report?.expiresAt)}`,
  user_active: (report) => `its user was disabled${on(report?.user.disabledAt)}${named(report?.user.email)}`,
  user_confirmed: (report) =>
    `no identity provider has confirmed its user in time${since(report?.user.confirmedUntil)}${named(report?.user.email)}`,
  account_active: (report) =>
    `its account was suspended${on(report?.account.suspendedAt)}${named(report?.account.name)}`,
  network: () => 'the client is in none of its networks',
};

const on = (at: Instant | null | undefined) => (at ? ` on ${shortTime(at)}` : '');
const since = (at: Instant | null | undefined) => (at ? `, refused since ${shortTime(at)}` : '');
const named = (name: string | null | undefined) => (name ? `: ${printable(name)}` : '');

/** Explains why a token fails this check, in more detail if its record is known. */
export function whyNot(step: InspectionStep, report: TokenStatus | null = null): string {
  return PROBLEMS[step](report);
}

const SIGNS = { passed: '✓', failed: '✗', not_reached: '·', not_checked: '·' } as const;

/** The checks of an inspection, one per line. */
export function stepView({ report }: TokenInspection): View<InspectedStep> {
  return {
    document: ({ step, outcome }) => ({ step, outcome }),
    columns: [
      { title: '', value: ({ outcome }) => SIGNS[outcome] },
      { title: 'CHECK', value: ({ step }) => CONDITIONS[step] },
      {
        title: 'RESULT',
        value: ({ step, outcome }) =>
          outcome === 'failed' ? whyNot(step, report) : outcome.replace('_', ' '),
        flexible: true,
      },
    ],
  };
}

/** The claims of a token. */
export const claimsView: View<TokenInspection> = {
  document: ({ format, keyId, claims }) => ({
    format,
    key_id: keyId,
    claims:
      claims &&
      documentOf(claims, 'issuer', 'audience', 'subject', 'tokenId', 'issuedAt', 'expiresAt', 'kind'),
  }),
  columns: [
    { title: 'SIGNED WITH', value: ({ keyId }) => keyId ?? '-' },
    { title: 'ISSUER', value: ({ claims }) => claims?.issuer ?? '-', flexible: true },
    { title: 'AUDIENCE', value: ({ claims }) => claims?.audience ?? '-', flexible: true },
    { title: 'ISSUED TO', value: ({ claims }) => (claims ? `user ${claims.subject}` : '-') },
    { title: 'ISSUED', value: ({ claims }) => shortTime(claims?.issuedAt ?? null) },
    {
      title: 'EXPIRES (CLAIM)',
      value: ({ claims }) => (claims ? shortTime(claims.expiresAt, 'never') : '-'),
    },
  ],
};

/**
 * The token's record is the member `record`, because the member `token` of a document always contains a token's secret
 * text.
 */
export function inspectionDocument(inspection: TokenInspection): object {
  const { accepted, reason, stoppedAt, steps, report } = inspection;
  return {
    accepted,
    reason,
    stopped_at: stoppedAt,
    steps: steps.map(({ step, outcome }) => ({ step, outcome })),
    ...claimsView.document(inspection),
    record: report && tokenView.document(report),
  };
}
