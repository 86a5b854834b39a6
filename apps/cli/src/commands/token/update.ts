import { ok } from '@gatehouse/domain';
import { MAX_DESCRIPTION_LENGTH, type TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineChange } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { NAME } from '../../input/parsers.ts';
import { tokenView } from '../../views/token-view.ts';
import { UNITS } from '../shared-options.ts';
import { endOf, expiryOptions } from './expiry.ts';
import { leftWorking, worksBeside } from './revocation-impact.ts';

export const tokenUpdate = defineChange({
  verb: 'update',
  summary: 'Rename or describe an API token, or make it expire earlier',
  arguments: { idOrName: { ...NAME, description: "The token's id, or its name" } },
  as: { description: 'The admin who changes the token', required: true },
  options: {
    name: { value: 'name', description: "The new name; unique among the owner's active tokens" },
    description: {
      value: 'text',
      description: `What the token is for, at most ${MAX_DESCRIPTION_LENGTH} characters; an empty text removes it`,
    },
    ...expiryOptions({
      in: `Expire after this time from now, such as 30d; ${UNITS}`,
      at: 'Expire after this day (UTC), such as 2027-01-31, or at this time, such as 2027-01-31T09:00:00Z (RFC 3339)',
    }),
  },
  notes: [
    'The token itself does not change, so programs that use it need no new token. A new expiry must be earlier than the current one. After a rotation, the old and the new token have the same name: neither can be renamed before the new token is used.',
  ],
  examples: [
    'gatehouse token update ERP --as ada@acme.example --name "ERP, Hamburg"',
    'gatehouse token update ERP --as ada@acme.example --expires-in 30d',
  ],
  check: ({ name, description, ...expires }) =>
    name === undefined && description === undefined && endOf(expires) === undefined
      ? 'Say what to change: --name, --description, --expires-in or --expires-at.'
      : undefined,
  async run({ findTokenByReference, updateToken }, caller, { idOrName, name, description, ...expires }) {
    const found = unwrap(await findTokenByReference(caller, idOrName));
    const changes = { id: found.id, name, description, expiry: endOf(expires) };
    const updated = await updateToken(caller, changes);
    return ok({ ...unwrap(updated), found });
  },
  note: ({ before, after, found }) => [
    changesOf(before, after),
    ...leftWorking([found]).map((other) => worksBeside(other, found)),
  ],
  document: ({ after }) => tokenView.document(after),
});

/** Says what was changed. Names the token by its old name, which the caller knows. */
function changesOf(before: TokenStatus, after: TokenStatus): string {
  const { id, name } = before;
  const changes: string[] = [];
  if (after.name !== name) changes.push(`renamed to "${after.name}"`);
  if (after.expiresAt !== before.expiresAt) {
    const former = before.expiresAt === null ? 'never' : shortTime(before.expiresAt);
    changes.push(`expires ${shortTime(after.expiresAt)} (before: ${former})`);
  }
  if (after.description !== before.description)
    changes.push(after.description === null ? 'description removed' : 'description changed');
  return changes.length === 0
    ? `Token "${name}" (${id}) already has these values; nothing was changed.`
    : `Updated token "${name}" (${id}): ${changes.join(', ')}.`;
}
