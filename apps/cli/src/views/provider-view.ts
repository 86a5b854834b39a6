import type { Provider, ProviderFinding, ProviderId } from '@gatehouse/domain/identity-providers';
import type { View } from '@gatehouse/extension-kit/cli';
import { printable } from '../output/printable.ts';
import { wrapBeside } from '../output/wrap.ts';
import { documentOf } from './document.ts';

export const providerView: View<Provider> = {
  document: (provider) =>
    documentOf(provider, 'id', 'label', 'issuer', 'accounts', 'linkByEmailOf', 'createUsersIn', 'roles'),
  empty: 'There are no identity providers. Name a file with providers in IDENTITY_PROVIDERS_FILE.',
  columns: [
    { title: 'ID', value: ({ id }) => id, essential: true },
    { title: 'LABEL', value: ({ label }) => label, flexible: true },
    { title: 'ISSUER', value: ({ issuer }) => issuer, essential: true, flexible: true },
    { title: 'ACCOUNTS', value: ({ accounts }) => accounts.join(' '), essential: true },
    {
      title: 'LINKS BY EMAIL OF',
      value: ({ linkByEmailOf }) => linkByEmailOf.join(' ') || '-',
      flexible: true,
    },
    { title: 'CREATES USERS IN', value: ({ createUsersIn }) => String(createUsersIn ?? '-') },
    { title: 'ROLES FROM', value: ({ roles }) => roles?.claim ?? '-' },
  ],
};

/** The addresses of Gatehouse that the provider has to know. */
export interface ProviderAddresses {
  readonly redirectUri: string;
  readonly logOutUri: string;
}

export function addressesOf(id: ProviderId, origin: string): ProviderAddresses {
  return {
    redirectUri: `${origin}/sign-in/return/${id}`,
    logOutUri: `${origin}/sign-in/log-out/${id}`,
  };
}

const SIGNS = { ok: 'ok', note: 'note', problem: 'PROBLEM' };
const SIGN_WIDTH = 9;

/** Formats findings, one line each. Lines are wrapped at `width`, the width of the terminal; undefined elsewhere. */
export function findingsLines(findings: readonly ProviderFinding[], width: number | undefined) {
  return findings.map(
    ({ step, verdict, text }) =>
      SIGNS[verdict].padEnd(SIGN_WIDTH) + wrapBeside(SIGN_WIDTH, printable(`${step}: ${text}`), width),
  );
}

export function findingsDocument(
  findings: readonly ProviderFinding[],
  addresses: ProviderAddresses | undefined,
): object {
  return {
    ok: findings.every(({ verdict }) => verdict !== 'problem'),
    findings: findings.map(({ step, verdict, text }) => ({ step, verdict, message: text })),
    redirect_uri: addresses?.redirectUri ?? null,
    log_out_uri: addresses?.logOutUri ?? null,
  };
}
