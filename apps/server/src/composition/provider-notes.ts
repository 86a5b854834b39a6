import type { ProviderSignInError } from '@gatehouse/domain/identity-providers';
import type { PagesPorts } from '@gatehouse/pages';
import type { Log } from '../logging/line-kind.ts';

type Outcome = 'accepted' | string;

interface ProviderNotesPorts {
  readonly log: Log;
  readonly providerSignIns: { inc(outcome: Outcome): void };
}

const outcomeOf = (error: ProviderSignInError): Outcome =>
  error.code === 'provider_sign_in_refused' ? error.reason : error.code;

/**
 * Counts and logs how sign-ins with identity providers end, and the log-outs that providers ask for. The detail of a
 * refusal says for operators which part of the exchange failed; it never has a code, a token or a secret.
 */
export function createProviderNotes({
  log,
  providerSignIns,
}: ProviderNotesPorts): Pick<PagesPorts, 'noteProviderLogOut' | 'noteProviderSignIn'> {
  return {
    noteProviderSignIn({ id, address }, provider, error) {
      const outcome = error ? outcomeOf(error) : 'accepted';
      providerSignIns.inc(outcome);
      const refusal = error?.code === 'provider_sign_in_refused' ? error : undefined;
      const facts = { provider, outcome, purpose: refusal?.purpose ?? null, detail: refusal?.detail ?? null };
      log.info(
        { kind: 'provider_sign_in', request_id: id, ...facts, address },
        'a sign-in with an identity provider ended',
      );
    },
    noteProviderLogOut({ id, address }, provider, outcome) {
      const facts = outcome.ok
        ? { outcome: 'accepted', ended: outcome.value.ended, detail: null }
        : { outcome: outcome.error.reason, ended: 0, detail: outcome.error.detail };
      log.info(
        { kind: 'provider_log_out', request_id: id, provider, ...facts, address },
        'an identity provider asked to end sessions',
      );
    },
  };
}
