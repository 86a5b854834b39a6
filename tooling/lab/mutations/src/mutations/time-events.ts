import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/time-events';
const POSTGRES = 'packages/postgres/src/time-events';

/** Facts that time brings: requirements 227 to 234. */
export const TIME_EVENT_MUTATIONS: readonly Mutation[] = [
  mutation([227, 233], 'The coming expiry of a token is recorded in each round.', {
    file: `${DOMAIN}/expiry.ts`,
    find: '(kept.daysLeft !== null && kept.daysLeft <= due.days)',
    replace: '(kept.daysLeft !== null && kept.daysLeft < due.days)',
  }),
  mutation([227], 'A token is recorded as expiring at its creation.', {
    file: `${DOMAIN}/expiry.ts`,
    find: 'days * DAY_MS < expiresAt - record.createdAt',
    replace: 'record.createdAt < expiresAt',
  }),
  mutation([227], 'An expiry that is brought forward is not recorded again.', {
    file: `${DOMAIN}/expiry.ts`,
    find: 'found.watch.expiresAt === expiresAt ? found.watch.daysLeft : null',
    replace: 'found.watch.daysLeft',
  }),
  mutation([227], 'A token whose expiry is brought forward is looked at when it was due before.', {
    file: 'packages/postgres/src/migrations/0038-time-events.ts',
    find: `new.kind = 'api' and new.expires_at is distinct from old.expires_at`,
    replace: 'false',
  }),
  mutation([228], 'A token that ends while it is used is not recorded.', {
    file: `${DOMAIN}/expiry.ts`,
    find: 'if (!refused && !wasInUse)',
    replace: 'if (!refused)',
  }),
  mutation([228], 'A token that is sent after its end is not recorded.', {
    file: `${DOMAIN}/expiry.ts`,
    find: 'if (!refused && !wasInUse)',
    replace: 'if (!wasInUse)',
  }),
  mutation([229], 'An unused token is recorded again and again.', {
    file: `${DOMAIN}/unused.ts`,
    find: 'if (watch.unusedSince === since) ',
    replace: 'if (false) ',
  }),
  mutation([230], 'A network that is already known is recorded.', {
    file: `${DOMAIN}/new-networks.ts`,
    find: '!known.has(network) && ',
  }),
  mutation([230], 'A new network is recorded for a token that changes its network all the time.', {
    file: `${DOMAIN}/new-networks.ts`,
    find: ' && firstAt >= settled',
    replace: ' && known.size > 0',
  }),
  mutation([230], 'Networks are recorded although addresses are not stored.', {
    file: `${DOMAIN}/record-time-events.ts`,
    find: 'addresses ? found : { ...found, usedFrom: [] }',
    replace: 'found',
  }),
  mutation([230], 'The server does not say that addresses are not stored.', {
    file: 'apps/server/src/start/housekeeping.ts',
    find: "settings.USAGE_ADDRESSES !== 'off' }",
    replace: 'true }',
  }),
  mutation([231], 'A due key is recorded in each round.', {
    file: `${POSTGRES}/due-keys.ts`,
    find: `and not exists (select from time_event_marks where fact = 'key.due' and subject = signing_keys.id)
        order by id limit \${limit}
        on conflict do nothing`,
    replace: `order by id limit \${limit}
        on conflict (fact, subject) do update set mark = excluded.mark`,
  }),
  mutation([231], 'doctor does not name a key that is due.', {
    file: 'packages/domain/src/health/check-keys.ts',
    find: 'active && since <= dueFrom',
    replace: 'active && since < 0',
  }),
  mutation([231], 'A key is due after two years.', {
    file: `${DOMAIN}/record-time-events.ts`,
    find: '-KEY_DUE_MS)',
    replace: '-2 * KEY_DUE_MS)',
  }),
  mutation([232], 'The event has another number of tokens.', {
    file: `${DOMAIN}/record-time-events.ts`,
    find: 'policyExceeded(accountId, count, now)',
    replace: 'policyExceeded(accountId, 1, now)',
  }),
  mutation([232], 'A change of the floor is one batch for all accounts.', {
    file: `${POSTGRES}/exceeded-policies.ts`,
    find: 'order by found.subject limit ${limit}',
    replace: 'order by found.subject',
  }),
  mutation([232], 'Broken rules are recorded for the first rules only.', {
    file: `${POSTGRES}/exceeded-policies.ts`,
    find: 'marked.mark is distinct from found.mark',
    replace: 'marked.mark is null',
  }),
  mutation([232], 'The same rules, set again, are not recorded.', {
    file: `${POSTGRES}/exceeded-policies.ts`,
    find: '      await forgetUnlimited(tx);\n',
  }),
  mutation([233], 'Two servers look at the same token.', {
    file: `${POSTGRES}/watched-tokens.ts`,
    find: 'order by look_at limit ${limit} for update skip locked',
    replace: 'order by look_at limit ${limit}',
  }),
  mutation([233], 'A change of a token is forgotten while a server looks at it.', {
    file: `${POSTGRES}/watched-tokens.ts`,
    find: 'do update set look_at = least(kept.look_at, excluded.look_at)',
    replace: 'do nothing',
  }),
  mutation([233], 'Two servers record a key at once.', {
    file: `${POSTGRES}/due-keys.ts`,
    find: '        on conflict do nothing\n',
  }),
  mutation([233], 'Two servers record broken rules at once.', {
    file: `${POSTGRES}/exceeded-policies.ts`,
    find: ' where kept.mark <> excluded.mark',
  }),
  mutation([233], 'Events are recorded while an older server runs.', {
    file: `${DOMAIN}/record-time-events.ts`,
    find: '(await refuseWhileOlder({ editions })).ok',
    replace: 'editions',
  }),
  mutation([234], 'The client tells of a token after each response.', {
    file: 'packages/client/src/expires-soon.ts',
    find: 'if (told.has(known)) return;',
  }),
  mutation([234], 'The client prints that a token expires soon.', {
    file: 'packages/client/src/expires-soon.ts',
    find: '  told.add(known);',
    replace: "  told.add(known);\n  console.warn('the token expires soon');",
  }),
  mutation([234], 'An error of a callback ends a call of the client.', {
    file: 'packages/client/src/expires-soon.ts',
    find: `  Promise.resolve({ expiresAt })
    .then(onExpiresSoon)
    .catch(() => undefined);`,
    replace: '  onExpiresSoon({ expiresAt });',
  }),
  mutation([234], 'The verifier tells of a token at each request.', {
    file: 'packages/verifier/src/expires-soon.ts',
    find: ' || told.has(token)',
  }),
  mutation([234], 'An error of a callback refuses a token.', {
    file: 'packages/verifier/src/expires-soon.ts',
    find: `    Promise.resolve({ token, user, account, expiresAt: new Date(expiresAt) })
      .then(onExpiresSoon)
      .catch(() => undefined);`,
    replace: '    onExpiresSoon({ token, user, account, expiresAt: new Date(expiresAt) });',
  }),
];
