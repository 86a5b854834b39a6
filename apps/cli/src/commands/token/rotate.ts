import { DEFAULT_GRACE_MS, type Token, type TokenId } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineSteps } from '../../described/kinds.ts';
import { CommandError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { DURATION, NAME } from '../../input/parsers.ts';
import { timeSpan } from '../../views/time.ts';
import { FORMAT, UNITS } from '../shared-options.ts';
import { type HandOver, handOver, OUT } from './hand-over.ts';
import { leftWorking, revocationImpact, stillWorks } from './revocation-impact.ts';

export const tokenRotate = defineSteps({
  verb: 'rotate',
  summary: 'Replace an API token without an outage: print a new one while the old one keeps working',
  arguments: { idOrName: { ...NAME, description: "The token's id, or its name" } },
  as: { description: 'The admin who rotates the token', required: true },
  options: {
    grace: {
      ...DURATION,
      description: `How long the old token works after the new one is first used, such as 7d; ${UNITS} (default: 24h)`,
    },
    now: {
      description: 'Revoke the old token as soon as the new one is printed',
      conflicts: ['grace'],
    },
    format: { ...FORMAT, description: "Token format (default: the old token's)" },
    out: OUT,
  },
  notes: [
    "The new token has the old one's name, scopes, owner and lifetime, or a shorter lifetime if the rules of the account demand it. The old token works until the new one is first used, and then for the grace period, but never beyond its own expiry. As long as the new token is unused, revoking it undoes the rotation. Only --now asks for confirmation.",
  ],
  examples: [
    'gatehouse token rotate ERP --as ada@acme.example --grace 7d',
    'gatehouse token rotate 019a0000-0000-7000-8000-000000000000 --as ada@acme.example --now --out erp.token',
  ],
  needs: () => ({ signs: true }),
  asks: {
    action: 'revoke the old token',
    question:
      'Integrations using the old token will stop working as soon as the new one is printed. Rotate the token now?',
    declined: 'The token was not rotated.',
    when: ({ now }) => now === true,
  },
  prints: 'change',
  async steps(gatehouse, caller, { idOrName, now, grace = DEFAULT_GRACE_MS, format, out }, tools) {
    const found = unwrap(await gatehouse.findTokenByReference(caller, idOrName));
    await tools.confirm(async () => [revocationImpact(found)]);
    const { id } = found;
    const graceMs = now ? 0 : grace;
    const to = { ...tools, gatehouse, caller, out };
    const { record } = await handOver(
      to,
      () => gatehouse.rotateToken(caller, { id, graceMs, format }),
      ({ predecessor, isShortened }) => {
        const old = now ? 'The old token will be revoked next.' : remainingLife(predecessor, graceMs);
        return isShortened ? `${SHORTENED} ${old}` : old;
      },
    );
    // The old token is revoked only after the new token was written. Until then, integrations need the old one.
    if (now) await revokeOld(to, id, record.id);
    for (const other of leftWorking([found])) await tools.printer.note(stillWorks(other));
  },
});

const SHORTENED = 'The rules of the account allow no longer lifetime.';

/** Describes how long the old token still works. */
function remainingLife({ expiresAt }: Token, graceMs: number): string {
  const atMost = expiresAt === null ? '' : `, but not beyond ${shortTime(expiresAt)}`;
  return `The old token works until ${timeSpan(graceMs)} after the new one is first used${atMost}.`;
}

async function revokeOld({ gatehouse, caller, printer }: HandOver, id: TokenId, successor: TokenId) {
  try {
    unwrap(await gatehouse.revokeToken(caller, { id, reason: `replaced by ${successor}` }));
  } catch (cause) {
    const message = `The new token is in place, but the old one could not be revoked: run \`gatehouse token revoke ${id}\`.`;
    throw new CommandError('fault', message, { cause });
  }
  await printer.note(`Revoked the old token (${id}).`);
}
