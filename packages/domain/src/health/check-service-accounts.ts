import type { Ports } from '../ports.ts';
import { defineCheck, outcomeOf } from './check.ts';

/** The maximum number of service accounts that a finding names. */
const NAMED = 5;

/** Reports active service accounts for which no active admin answers, because that person was disabled or demoted. */
export const serviceAccountsCheck = defineCheck({
  id: 'service_accounts',
  passed: 'An active admin answers for every service account.',
  name: 'service accounts without a responsible admin',
  async run({ serviceAccounts }: Ports<'serviceAccounts'>) {
    const found = await serviceAccounts.list({ isUnanswered: true, limit: NAMED + 1 });
    const named = found.slice(0, NAMED).map(({ user: { id, name } }) => ({ id, name }));
    return outcomeOf(
      found.length === 0
        ? []
        : [{ code: 'service_accounts_unanswered', named, more: found.length > NAMED } as const],
    );
  },
  findings: {
    service_accounts_unanswered: ({ named, more }) => ({
      message: `No active admin answers for these service accounts: ${named.map(({ id, name }) => `"${name}" (${id})`).join(', ')}${more ? ', and more' : ''}.`,
      remedy:
        'Run `gatehouse service-account update ID --responsible EMAIL` for each, or disable it with `gatehouse user disable ID@service.invalid`. `gatehouse service-account list --unanswered` lists all of them.',
    }),
  },
});
