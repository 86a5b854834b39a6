import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/webhooks';
const ADAPTER = 'packages/webhooks/src';
const POSTGRES = 'packages/postgres/src/webhooks';
const REFUSED = `${ADAPTER}/refused-addresses.ts`;
const SENDER = `${ADAPTER}/webhook-sender.ts`;
const MESSAGE = `${DOMAIN}/webhook-message.ts`;
const REACTION = `${DOMAIN}/webhook-reaction.ts`;
const REPOSITORY = `${POSTGRES}/webhook-repository.ts`;

/** Webhooks: requirements 200 to 214. */
export const WEBHOOK_MUTATIONS: readonly Mutation[] = [
  mutation([200], 'Messages are sent to a private network.', { file: REFUSED, find: "  '10.0.0.0/8',\n" }),
  mutation([200], 'IPv6 addresses outside of 2000::/3 are public.', { file: REFUSED, find: "  '::/3',\n" }),
  mutation([200], 'An IPv4 address within an IPv6 address is not checked.', {
    file: REFUSED,
    find: '...ipv4Within(address)',
    replace: '...ipv4Within(address).slice(9)',
  }),
  mutation([200], 'Some public addresses are refused.', {
    file: REFUSED,
    find: "'172.16.0.0/12'",
    replace: "'172.0.0.0/8'",
  }),
  mutation([200], 'Messages are sent to this machine.', {
    file: REFUSED,
    find: '(NOT_PUBLIC.has(each) || isOwn(each, interfaces))',
    replace: 'NOT_PUBLIC.has(each)',
  }),
  mutation([201], 'A setting opens the addresses where clouds hand out credentials.', {
    file: REFUSED,
    find: 'METADATA.has(each) || ',
  }),
  mutation([202], 'Only the first address of a name is checked.', {
    file: `${ADAPTER}/checked-lookup.ts`,
    find: 'for (const { address } of found) {',
    replace: 'for (const { address } of found.slice(0, 1)) {',
  }),
  mutation([202], 'The connection resolves the name by itself.', {
    file: SENDER,
    find: '    lookup: createCheckedLookup(resolve, networks),\n',
  }),
  mutation([203], 'Any certificate is accepted.', {
    file: SENDER,
    find: 'rejectUnauthorized: true',
    replace: 'rejectUnauthorized: false',
  }),
  mutation([203], 'Plain http is allowed without the setting.', {
    file: `${ADAPTER}/check-address.ts`,
    find: "!(allowHttp && url.protocol === 'http:')",
    replace: "url.protocol !== 'http:'",
  }),
  mutation([204], 'The body of an answer is received.', {
    file: SENDER,
    find: '        request.destroy();\n      });\n      request.end(body);',
    replace: '      });\n      request.end(body);',
  }),
  mutation([204], 'A redirect counts as delivered.', {
    file: SENDER,
    find: 'const status = response.statusCode ?? 0;',
    replace: 'const status = Math.min(response.statusCode ?? 0, 299);',
  }),
  mutation([204], 'A proxy of the environment is used.', {
    file: SENDER,
    find: 'new HttpAgent({ keepAlive: false })',
    replace: 'new HttpAgent({ keepAlive: false, proxyEnv: process.env })',
  }),
  mutation([204], 'More of an answer than its status is kept.', {
    file: `${DOMAIN}/test-webhook.ts`,
    find: 'const { retryAfter: _, ...outcome } = sent.value;',
    replace: 'const outcome = sent.value;',
  }),
  mutation([205], 'A receiver that is silent holds a message.', {
    file: SENDER,
    find: '}, limitMs);',
    replace: '}, 1000 * limitMs);',
  }),
  mutation([205], 'Names of receivers wait in the threads of the process.', {
    file: `${ADAPTER}/resolve-by-dns.ts`,
    find: '    const resolver = new Resolver(PATIENCE);',
    replace:
      "    const { lookup } = await import('node:dns/promises');\n    if (servers) return lookup(name, { all: true });\n    const resolver = new Resolver(PATIENCE);",
  }),
  mutation([205], 'Interim responses of a receiver are read without an end.', {
    file: SENDER,
    find: 'received > MAX_ANSWER_BEGINNING',
    replace: 'received < 0',
  }),
  mutation([205], 'A connection for another protocol stays.', {
    file: SENDER,
    find: '        socket.destroy();\n',
  }),
  mutation([205], 'A receiver asks for handshakes without an end.', {
    file: SENDER,
    find: 'secureOptions: constants.SSL_OP_NO_RENEGOTIATION',
    replace: 'secureOptions: constants.SSL_OP_ALL',
  }),
  mutation([205], 'A receiver chooses a handshake that takes long.', {
    file: SENDER,
    find: ':!kDHE',
  }),
  mutation([205], 'The slow receivers of one account take all places.', {
    file: REACTION,
    find: 'concurrency: MAX_WEBHOOKS + 6',
    replace: 'concurrency: 8',
  }),
  mutation([205], 'A slow receiver keeps its place.', {
    file: 'packages/domain/src/reactions/deliver.ts',
    find: ' || Math.abs(clock.now() - begunAt) >= TURN_MS',
  }),
  mutation([206], 'The time of a message is not signed.', {
    file: `${DOMAIN}/send-message.ts`,
    find: '`${id}.${timestamp}.${body}`',
    replace: '`${id}.0.${body}`',
  }),
  mutation([206], 'A message is signed with another algorithm.', {
    file: `${ADAPTER}/webhook-secrets.ts`,
    find: "createHmac('sha256', secret)",
    replace: "createHmac('sha512', secret)",
  }),
  mutation([206], 'A message has another id at each try.', {
    file: MESSAGE,
    find: 'id: messageId(webhook.id, position)',
    replace: 'id: messageId(webhook.id, `${position}_${event.action}`)',
  }),
  mutation([207], 'A secret of another webhook is accepted.', {
    file: `${DOMAIN}/webhook.ts`,
    find: '`webhook:${id}`',
    replace: '`webhook:${id > 0}`',
  }),
  mutation([207], 'Secrets have half of the random bytes.', {
    file: `${ADAPTER}/webhook-secrets.ts`,
    find: 'randomBytes(WEBHOOK_SECRET_BYTES)',
    replace: 'randomBytes(WEBHOOK_SECRET_BYTES / 2)',
  }),
  mutation([207], 'The page does not show the secret.', {
    file: 'packages/pages/src/webhooks/secret-view.ts',
    find: 'id="secret">${secret}</code>',
    replace: 'id="secret"></code>',
  }),
  mutation([208], 'A secret is stored under a master key that was replaced.', {
    file: REPOSITORY,
    find: '        if (!(await holdsWitness(tx, witness))) return KEYS_CHANGED;\n',
  }),
  mutation([208], 'A new master key leaves the secrets of webhooks behind.', {
    file: `${DOMAIN}/reseal-webhooks.ts`,
    find: '    await webhooks.reseal(resealings);\n',
  }),
  mutation([208], 'A message is signed with a secret that was not decrypted.', {
    file: `${DOMAIN}/send-message.ts`,
    find: '  if (!secrets.ok) return secrets;\n',
  }),
  mutation([208], 'Doctor takes ten days to name a webhook that fails.', {
    file: 'packages/domain/src/health/check-webhooks.ts',
    find: 'FAILING_MS = 86_400_000',
    replace: 'FAILING_MS = 864_000_000',
  }),
  mutation([209], 'The former secret signs for ever.', {
    file: `${DOMAIN}/send-message.ts`,
    find: 'until > now',
    replace: 'until > 0',
  }),
  mutation([209], 'The former secret signs for two days.', {
    file: `${DOMAIN}/rotate-webhook-secret.ts`,
    find: 'graceMs <= MAX_SECRET_GRACE_MS',
    replace: 'graceMs <= 2 * MAX_SECRET_GRACE_MS',
  }),
  mutation([209], 'The former secret is not stored.', {
    file: REPOSITORY,
    find: "formerUntil === null ? null : row.ref('sealed_secret')",
    replace: "formerUntil === null ? null : row.ref('former_sealed_secret')",
  }),
  mutation([210], 'Every detail of an event is sent.', {
    file: MESSAGE,
    find: 'SENT.has(name) ||',
    replace: 'name !== "" ||',
  }),
  mutation([210], 'The name of an operator is sent.', {
    file: MESSAGE,
    find: "  if (actor.kind === 'operator')\n",
    replace: "  if (actor.kind === 'operator' && actor.name === '')\n",
  }),
  mutation([210], 'A message of any size is sent.', {
    file: MESSAGE,
    find: 'utf8Length(body) <= MAX_BODY_BYTES',
    replace: 'utf8Length(body) <= 10 * MAX_BODY_BYTES',
  }),
  mutation([211], 'Members manage webhooks.', {
    file: 'packages/domain/src/access/rules.ts',
    find: "defineRule('webhooks:manage', { users: 'admins', operator: true })",
    replace: "defineRule('webhooks:manage', { users: 'all', operator: true })",
  }),
  mutation([211], 'An admin changes webhooks of other accounts.', {
    file: `${DOMAIN}/which-webhook.ts`,
    find: '{ id, of: caller.accountId }',
    replace: '{ id }',
  }),
  mutation([211], 'A change finds the webhooks of other accounts.', {
    file: `${POSTGRES}/lock-for-change.ts`,
    find: "of === undefined ? all : all.where('account_id', '=', of)",
    replace: 'of === undefined ? all : all',
  }),
  mutation([211], 'An admin who was demoted meanwhile changes a webhook.', {
    file: `${POSTGRES}/lock-for-change.ts`,
    find: "  if (!(await actorMayAct(tx, audit(toWebhook(first))))) return err({ code: 'not_allowed' });\n",
  }),
  mutation([212], 'A webhook receives the events of other accounts.', {
    file: REACTION,
    find: 'accountId === null || accountId === event.accountId',
    replace: 'accountId === null || event.accountId !== null',
  }),
  mutation([212], 'A webhook receives the events of any action.', {
    file: REACTION,
    find: "actions === 'all' || actions.includes(event.action)",
    replace: "actions === 'all' || event.action !== undefined",
  }),
  mutation([212], 'A webhook that is disabled receives events.', {
    file: REPOSITORY,
    find: "        .where('disabled_at', 'is', null)\n        .where(sql<boolean>`(account_id is null or",
    replace: '        .where(sql<boolean>`(account_id is null or',
  }),
  mutation([213], 'Tests of a webhook are not limited.', {
    file: `${DOMAIN}/webhook.ts`,
    find: 'at(-MAX_TESTS)',
    replace: 'at(-MAX_TESTS - 1)',
  }),
  mutation([213], 'A test of a webhook begins whatever tests ran before.', {
    file: `${POSTGRES}/webhook-attempts.ts`,
    find: 'if (waitMs > 0)',
    replace: 'if (waitMs > 1e9)',
  }),
  mutation([213], 'An account has more than ten webhooks.', {
    file: `${DOMAIN}/webhook.ts`,
    find: 'MAX_WEBHOOKS = 10',
    replace: 'MAX_WEBHOOKS = 11',
  }),
  mutation([213], 'The first attempts are shown.', {
    file: `${POSTGRES}/webhook-attempts.ts`,
    find: "        .orderBy('id', 'desc')\n        .limit(KEPT_ATTEMPTS)",
    replace: "        .orderBy('id')\n        .limit(KEPT_ATTEMPTS)",
  }),
  mutation([213], 'Each event that waited for a deleted webhook is in the log.', {
    file: 'apps/server/src/reactions/start-reactions.ts',
    find: "        if (outcome === 'dropped' && isRepeated(lane, problem)) return;\n",
  }),
  mutation([214], 'A receiver that is gone is asked again.', {
    file: REACTION,
    find: 'outcome.status === 410',
    replace: 'outcome.status === 411',
  }),
  mutation([214], 'A webhook that got another address is disabled by the receiver of the one before.', {
    file: REACTION,
    find: 'webhooks.setDisabled({ id, url },',
    replace: 'webhooks.setDisabled({ id },',
  }),
  mutation([214], 'The audit log has the path of an address.', {
    file: `${DOMAIN}/which-webhook.ts`,
    find: 'address.value.host',
    replace: 'address.value.url',
  }),
  mutation([214], 'A webhook that is disabled receives what waited.', {
    file: REACTION,
    find: "  if (webhook.disabled) return { kind: 'dropped', problem: 'the webhook is disabled' };\n",
    replace: '',
  }),
];
