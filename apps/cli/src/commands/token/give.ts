import { ok } from '@gatehouse/domain';
import { defineChange } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { NAME, OWNER } from '../../input/parsers.ts';
import { tokenView } from '../../views/token-view.ts';
import { leftWorking, worksBeside } from './revocation-impact.ts';

export const tokenGive = defineChange({
  verb: 'give',
  summary: 'Give an API token to a service account or to another admin; the token keeps its secret',
  arguments: { idOrName: { ...NAME, description: "The token's id, or its name" } },
  as: { description: 'The admin who gives the token', required: true },
  options: {
    to: {
      ...OWNER,
      description: 'The new owner: the id of a service account, or the email of an admin of the account',
      required: true,
    },
  },
  notes: [
    'The token itself does not change, so programs that use it need no new token. From then on it has the rights of the new owner; the claim `sub` stays the id of the user to whom the token was issued. The rules of the account for the new owner are not checked: `gatehouse token list --over-policy` lists a token that breaks them.',
  ],
  examples: [
    'gatehouse token give ERP --to 12 --as ada@acme.example',
    'gatehouse token give ERP --to bo@acme.example --as ada@acme.example',
  ],
  async run({ findTokenByReference, giveToken }, caller, { idOrName, to: email }) {
    const found = unwrap(await findTokenByReference(caller, idOrName));
    const given = unwrap(await giveToken(caller, { id: found.id, to: { email } }));
    return ok({ ...given, found });
  },
  note: ({ token: { id, name }, from, to, found }) => [
    `Gave token "${name}" (${id}) of ${from.email} to ${to.kind === 'service' ? `the service account "${to.name}" (${to.id})` : to.email}.`,
    ...leftWorking([found]).map((other) => worksBeside(other, found)),
  ],
  document: ({ token }) => tokenView.document(token),
});
