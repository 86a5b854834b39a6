import { err, ok } from '@gatehouse/domain';
import { TOKEN_HOLDERS, type TokenPolicies } from '@gatehouse/domain/token-policy';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { lockAccount } from '../database/statements/row-locks.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { renewConfirmations } from '../users/confirmations.ts';
import { longTokens } from './long-tokens.ts';
import { limitRow, ruleRow, selectFloor, selectPolicies, toFloor, toPolicy } from './rules-records.ts';

/** Creates the port of the rules for tokens in PostgreSQL. */
export function createPostgresTokenPolicies({ queries }: Database): TokenPolicies {
  return {
    async find(accountId) {
      return toPolicy(await selectPolicies(queries, accountId).execute());
    },

    async findFloor() {
      return toFloor(await selectFloor(queries).execute());
    },

    // Locks the account before the rules are read: every statement that inserts a token locks the account, too.
    set: (accountId, change, audit) =>
      queries.transaction().execute(async (tx) => {
        if (!(await lockAccount(tx, accountId))) return err({ code: 'account_not_found' });
        const found = toPolicy(await selectPolicies(tx, accountId).execute());
        if (!found) return err({ code: 'account_not_found' });
        const { own: before } = found;
        const changed = change(before);
        if (!changed.ok) return changed;
        const after = changed.value;
        const event = audit(before, after);
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        if (after === before) return ok({ before, after });
        for (const holder of TOKEN_HOLDERS) {
          await tx
            .updateTable('token_policies')
            .set(ruleRow(after[holder]))
            .where('account_id', '=', accountId)
            .where('holder', '=', holder)
            .execute();
        }
        if (after.person.confirmWithinMs !== before.person.confirmWithinMs)
          await renewConfirmations(tx, accountId);
        await insertAuditEvents(tx, [event]);
        return ok({ before, after });
      }),

    // Every statement that inserts a token locks the row of the floor for its kind of holder.
    setFloor: (change, audit) =>
      queries.transaction().execute(async (tx) => {
        const before = toFloor(await selectFloor(tx).orderBy('holder').forUpdate().execute());
        const changed = change(before);
        if (!changed.ok) return changed;
        const after = changed.value;
        if (after === before) return ok({ before, after });
        for (const holder of TOKEN_HOLDERS) {
          const set = tx.updateTable('token_floors').set(limitRow(after[holder]));
          await set.where('holder', '=', holder).execute();
        }
        await insertAuditEvents(tx, [audit(before, after)]);
        return ok({ before, after });
      }),

    ...longTokens(queries),
  };
}
