import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { InspectedStep, InspectionStep, TokenInspection, TokenStatus } from '@gatehouse/domain/tokens';
import { printable } from '../output/printable.ts';
import type { View } from '../output/printer.ts';
import { shortTime, timeOrNull } from './time.ts';
import { tokenView } from './token-view.ts';

/** What each step asks, as a person reads it. */
const QUESTIONS: Readonly<Record<InspectionStep, string>> = {
  spelling: 'spelled as a token',
  key_known: 'its key is known',
  signature: 'its signature holds',
  record: 'it has a record',
  record_key: 'its key and format are those of its record',
  claims: 'it says what its record and the settings say',
  key_in_use: 'its key is not retired',
  not_revoked: 'it is not revoked',
  not_expired: 'it is not expired',
  user_active: 'its user is active',
  account_active: 'its account is not suspended',
};

const PROBLEMS: Readonly<Record<InspectionStep, (report: TokenStatus | null) => string>> = {
  spelling: () => 'it has no format known here: it was cut off or damaged, or is something else',
  key_known: () => 'it names a key that is not in the ring',
  signature: () => 'its signature does not hold: it was changed or cut off, or is forged',
  record: () => 'it has no record: it was pruned, or is of another database with the same keys',
  record_key: () => 'its record names another key or format',
  claims: () => 'it differs from its record, or from TOKEN_ISSUER or TOKEN_AUDIENCE',
  key_in_use: (report) => `the key that signed it is retired${named(report?.keyId)}`,
  not_revoked: (report) => {
    const revocation = report?.revocation;
    return `it was revoked${on(revocation?.at)}${named(revocation?.reason)}`;
  },
  not_expired: (report) => `it expired${on(report?.expiresAt)}`,
  user_active: (report) => `its user was disabled${on(report?.user.disabledAt)}${named(report?.user.email)}`,
  account_active: (report) =>
    `its account was suspended${on(report?.account.suspendedAt)}${named(report?.account.name)}`,
};

const on = (at: Instant | null | undefined) => (at ? ` on ${shortTime(at)}` : '');
const named = (name: string | null | undefined) => (name ? `: ${printable(name)}` : '');

/** Why a token stops at this step; in more detail where its record is known. */
export function whyNot(step: InspectionStep, report: TokenStatus | null = null): string {
  return PROBLEMS[step](report);
}

const SIGNS = { passed: '✓', failed: '✗', not_reached: '·' } as const;

/** The steps of an inspection, one a line. */
export function stepView({ report }: TokenInspection): View<InspectedStep> {
  return {
    document: ({ step, outcome }) => ({ step, outcome }),
    columns: [
      { title: '', value: ({ outcome }) => SIGNS[outcome] },
      { title: 'STEP', value: ({ step }) => QUESTIONS[step] },
      {
        title: 'FOUND',
        value: ({ step, outcome }) =>
          outcome === 'failed' ? whyNot(step, report) : outcome.replace('_', ' '),
        flexible: true,
      },
    ],
  };
}

/** What a token says of itself. */
export const sayingsView: View<TokenInspection> = {
  document: ({ format, keyId, claims }) => ({
    format,
    key_id: keyId,
    claims: claims && {
      issuer: claims.issuer,
      audience: claims.audience,
      subject: claims.subject,
      token_id: claims.tokenId,
      issued_at: formatInstant(claims.issuedAt),
      expires_at: timeOrNull(claims.expiresAt),
      kind: claims.kind,
    },
  }),
  columns: [
    { title: 'SIGNED WITH', value: ({ keyId }) => keyId ?? '-' },
    { title: 'ISSUER', value: ({ claims }) => claims?.issuer ?? '-', flexible: true },
    { title: 'AUDIENCE', value: ({ claims }) => claims?.audience ?? '-', flexible: true },
    { title: 'ISSUED TO', value: ({ claims }) => (claims ? `user ${claims.subject}` : '-') },
    { title: 'ISSUED', value: ({ claims }) => shortTime(claims?.issuedAt ?? null) },
    { title: 'SAYS IT ENDS', value: ({ claims }) => (claims ? shortTime(claims.expiresAt, 'never') : '-') },
  ],
};

/** The member `token` of a document is always a secret: here there is none. */
export function inspectionDocument(inspection: TokenInspection): object {
  const { accepted, reason, stoppedAt, steps, report } = inspection;
  return {
    accepted,
    reason,
    stopped_at: stoppedAt,
    steps: steps.map(({ step, outcome }) => ({ step, outcome })),
    ...sayingsView.document(inspection),
    record: report && tokenView.document(report),
  };
}
