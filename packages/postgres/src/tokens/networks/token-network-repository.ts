import { err, ok } from '@gatehouse/domain';
import { networkChangeProblem } from '@gatehouse/domain/token-policy';
import {
  haveSameNetworks,
  networksProblem,
  type Token,
  type TokenId,
  type TokenNetworkRepository,
} from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { insertAuditEvents } from '../../audit/audit-events.ts';
import type { Database } from '../../database/database.ts';
import type { Queries } from '../../database/schema.ts';
import { commitDurably } from '../../database/statements/commit-durably.ts';
import { lockRules } from '../../token-policy/lock-rules.ts';
import { actorMayAct } from '../../users/acting-admin.ts';
import { tokenColumns, toToken } from '../token-columns.ts';
import { networkColumnsOf } from './network-columns.ts';

/** Creates the repository of the networks of tokens in PostgreSQL. */
export function createPostgresTokenNetworkRepository({ queries }: Database): TokenNetworkRepository {
  return {
    set: (id, networks, at, audit) =>
      commitDurably(queries, async (tx) => {
        const found = await findToken(tx, id);
        if (!found) return err({ code: 'token_not_found' });
        if (!(await actorMayAct(tx, audit(found, { ...found, networks }))))
          return err({ code: 'not_allowed' });
        // Locks the account, so that its rules cannot change meanwhile.
        await sql`select from accounts where id = ${found.accountId} for share`.execute(tx);
        // A rotation, a revocation and another change of the networks wait for this lock.
        await sql`select from tokens where id = ${id} for no key update`.execute(tx);
        const before = await findToken(tx, id);
        if (!before) return err({ code: 'token_not_found' });
        const problem = networksProblem(before, at);
        if (problem) return err(problem);
        if (haveSameNetworks(before.networks, networks)) return ok({ before, after: before });
        const after = Object.freeze({ ...before, networks });
        const locked = await lockRules(tx, before);
        const lacking = locked && networkChangeProblem(locked.rules, locked.holder, before, after);
        if (lacking) return err(lacking);
        await tx.updateTable('tokens').set(networkColumnsOf(networks)).where('id', '=', id).execute();
        await tx.deleteFrom('token_outside_addresses').where('token_id', '=', id).execute();
        await insertAuditEvents(tx, [audit(before, after)]);
        return ok({ before, after });
      }),
  };
}

async function findToken(tx: Queries, id: TokenId): Promise<Token | undefined> {
  const row = await tx.selectFrom('tokens').select(tokenColumns).where('id', '=', id).executeTakeFirst();
  return row && toToken(row);
}
