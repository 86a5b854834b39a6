import { ok } from '@gatehouse/domain';
import { defineChange } from '../../../described/kinds.ts';
import { Refused, unwrap } from '../../../errors/refusals.ts';
import { usedCredential } from '../../../views/credential-view.ts';
import { SERVICE } from '../service-argument.ts';
import { CREDENTIAL } from './credential-argument.ts';

export const credentialRevoke = defineChange({
  verb: 'revoke',
  summary: 'Permanently revoke a credential of a service, everywhere',
  arguments: { service: SERVICE, credential: CREDENTIAL },
  examples: ['gatehouse service credential revoke orders 019a0000-0000-7000-8000-000000000000'],
  asks: {
    action: 'revoke the credential',
    question: 'A service that uses this credential will be refused immediately. Revoke it?',
    declined: 'The credential was not revoked.',
    async facts({ listServiceCredentials }, caller, { service, credential: id }) {
      const all = unwrap(await listServiceCredentials(caller, service));
      const found = all.find((each) => each.id === id);
      if (!found) throw new Refused({ code: 'credential_not_found' });
      return ok(found.state === 'active' ? [`${usedCredential(found)}.`] : undefined);
    },
  },
  run: ({ revokeServiceCredential }, caller, { service, credential: id }) =>
    revokeServiceCredential(caller, { service, id }),
  note: ({ service, id, already }) =>
    already
      ? `The credential ${id} of the service ${service} was revoked before; nothing changed.`
      : `Revoked the credential ${id} of the service ${service}.`,
  document: ({ service, id, already }) => ({ service, id, already_revoked: already }),
});
