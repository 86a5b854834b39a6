import { type Mutation, mutation } from '../mutation.ts';

const SERVICES = 'packages/domain/src/services';
const INTROSPECT = `${SERVICES}/introspect-token.ts`;
const GRANTED = `${SERVICES}/granted-scopes.ts`;
const REPORT = `${SERVICES}/report-token-uses.ts`;
const REPORTS = 'packages/postgres/src/usage/usage-reports.ts';
const GATEWAYS = 'docs/use/gateways';

/** Services that accept tokens, and gateways in front of them: requirements 77 to 86. */
export const SERVICE_MUTATIONS: readonly Mutation[] = [
  mutation([77], 'Every route takes the credential of a service.', {
    file: 'packages/http/src/serve.ts',
    find: 'if (rule.services) return createIdentifyService',
    replace: 'if (rule.services || !body) return createIdentifyService',
  }),
  mutation([77], 'Introspection calls a text that is no token active.', {
    file: 'apps/server/src/routes/introspection.ts',
    find: 'if (!active) return INACTIVE;',
    replace: 'if (!active) return { active: true } as never;',
  }),
  mutation([78], 'The name that HTTP Basic has is not compared.', {
    file: `${SERVICES}/authenticate-service.ts`,
    find: ' || (name !== undefined && name !== found.service.name)',
  }),
  mutation([78], 'A token without a scope of the service is active.', {
    file: INTROSPECT,
    find: 'if (scopes.length === 0) {',
    replace: 'if (false as boolean) {',
  }),
  mutation([78, 80], 'A service accepts tokens of accounts to which it is not open.', {
    file: GRANTED,
    find: 'if (!isOpenTo(service, accountId)) return [];',
  }),
  mutation([78], 'A service learns of scopes of other services.', {
    file: 'apps/server/src/routes/introspection.ts',
    find: "scope: active.scopes.join(' ')",
    replace: "scope: active.caller.token.scopes.join(' ')",
  }),
  mutation([78], 'A service without a credential is told of the scheme for tokens only.', {
    file: 'packages/http/src/serve.ts',
    find: 'route.rule?.services ? PROBLEM_ANSWERS_FOR_SERVICES : PROBLEM_ANSWERS',
    replace: 'PROBLEM_ANSWERS',
  }),
  mutation([79], 'A credential that has ended is accepted.', {
    file: `${SERVICES}/authenticate-service.ts`,
    find: ' || !isAccepted(credential, now)',
  }),
  mutation([79], 'The service of a credential is not read again.', {
    file: INTROSPECT,
    find: "if (!accepted) return err({ code: 'token_not_accepted' });",
    replace: 'if (!accepted) return INACTIVE;',
  }),
  mutation([79], 'Servers do not hear of changed services.', {
    file: 'packages/cache/src/cached-services.ts',
    find: "kind === 'service' || kind === 'everything'",
    replace: "kind === 'everything'",
  }),
  mutation([79], 'The source of introspections does not find services that were deleted.', {
    file: 'packages/postgres/src/services/introspected-service.ts',
    find: 'if (!row?.service_name || !row.service_credential)',
    replace: 'if (!row?.service_name || !row.service_credential || row.service_deleted_at !== null)',
  }),
  mutation([80], 'The scope `*` grants every scope of every service.', {
    file: GRANTED,
    find: 'return scopes.includes(everyScopeOf(service.name))',
    replace: "return scopes.includes('*') || scopes.includes(everyScopeOf(service.name))",
  }),
  mutation([80], 'A scope that was removed is granted.', {
    file: GRANTED,
    find: 'livingScopes(service).map',
    replace: 'service.scopes.map',
  }),
  mutation([80], 'A token with all scopes of a service has none of them by name.', {
    file: GRANTED,
    find: '? living\n',
    replace: '? [everyScopeOf(service.name)]\n',
  }),
  mutation([81], 'A service that was deleted comes back under its name.', {
    file: 'packages/postgres/src/services/service-changes.ts',
    find: "conflict.column('name').doNothing()",
    replace: "conflict.column('name').doUpdateSet({ deleted_at: null })",
  }),
  mutation([83], 'A refused credential is in the log.', {
    file: 'apps/server/src/logging/request-logs.ts',
    find: "address: request.address,\n        ...(caller?.kind === 'user' && { token_id: caller.token.id, user_id",
    replace:
      "address: request.address,\n        sent: request.headers.authorization,\n        ...(caller?.kind === 'user' && { token_id: caller.token.id, user_id",
  }),
  mutation([82], 'The records of a token with a wrong signature are read.', {
    file: INTROSPECT,
    find: "if ('reason' in verified) return INACTIVE;",
    replace:
      "if ('reason' in verified) {\n        await introspection.find(asking.credential, '01999999-0000-7000-8000-000000000000' as never);\n        return INACTIVE;\n      }",
  }),
  mutation([84], 'nginx passes headers with underscores to the service.', {
    file: `${GATEWAYS}/nginx.conf`,
    find: 'underscores_in_headers off;',
    replace: 'underscores_in_headers on;',
  }),
  mutation([84], 'Caddy passes headers in which a client claims to be another user.', {
    file: `${GATEWAYS}/Caddyfile`,
    find: 'request_header -*Gatehouse*',
  }),
  mutation([84], 'Caddy removes headers that the client names in Connection.', {
    file: `${GATEWAYS}/Caddyfile`,
    find: 'request_header -Connection',
  }),
  mutation([84], 'Traefik removes one spelling of the headers only.', {
    file: `${GATEWAYS}/traefik.yaml`,
    find: '(?i)^x[^a-z0-9]gatehouse[^a-z0-9]',
    replace: '(?i)^x-gatehouse-',
  }),
  mutation([85], 'nginx does not ask Gatehouse.', {
    file: `${GATEWAYS}/nginx.conf`,
    find: 'auth_request /_gatehouse;',
  }),
  mutation([85], 'nginx answers 500 without Gatehouse.', {
    file: `${GATEWAYS}/nginx.conf`,
    find: 'error_page 500 = @undecided;',
  }),
  mutation([85], 'Envoy lets requests pass without Gatehouse.', {
    file: `${GATEWAYS}/envoy.yaml`,
    find: 'failure_mode_allow: false',
    replace: 'failure_mode_allow: true',
  }),
  mutation([86], 'A service reports uses of tokens that it never introspected.', {
    file: REPORT,
    find: 'const first = firstUses.get(entry.token);',
    replace: 'const first = firstUses.get(entry.token) ?? entry.lastAt;',
  }),
  mutation([86], 'A service reports uses in the future.', {
    file: REPORT,
    find: 'entry.lastAt > latest ? undefined : { ...entry, lastAt: Math.min(entry.lastAt, now) as Instant },',
    replace: 'entry,',
  }),
  mutation([86], 'A service reports uses before the first one.', {
    file: REPORT,
    find: ' && entry.lastAt >= addMilliseconds(first, -CLOCK_TOLERANCE_MS)',
  }),
  mutation([86], 'A reported use ends a refusal.', {
    file: REPORTS,
    find: 'and (kept.last_used_at > refused.at) is not true then refused.at',
    replace: 'and false then refused.at',
  }),
  mutation([86], 'A reported use is stored as one that Gatehouse saw.', {
    file: REPORTS,
    find: '(select count(*) from stored) >= 0',
    replace: '(select count(*) from stored) < 0',
  }),
  mutation([86], 'A reported use starts the grace period of a rotation.', [
    {
      file: REPORTS,
      find: 'with stored as (${upsertUsage(batch, lastUse)}),',
      replace:
        'with stored as (${upsertUsage(batch, lastUse)}), addresses as (select 1), ${replaceTokens(report.uses.map(({ token, lastAt }) => [token, lastAt]))},',
    },
    {
      file: REPORTS,
      find: "import { PendingUsage } from './pending-usage.ts';",
      replace:
        "import { replaceTokens } from '../tokens/replace-tokens.ts';\nimport { PendingUsage } from './pending-usage.ts';",
    },
  ]),
  mutation([86], 'Reported addresses are stored with those that Gatehouse saw.', [
    {
      file: REPORTS,
      find: 'with stored as (${upsertUsage(batch, lastUse)}),',
      replace: 'with stored as (${upsertUsage(batch, lastUse)}), addresses as (${upsertAddresses(batch)}),',
    },
    {
      file: REPORTS,
      find: 'countsAt = lastAt, count } of uses)\n    usageOf(token, countsAt).reportedUses(countsAt, count)',
      replace:
        'countsAt = lastAt, from } of uses)\n    usageOf(token, countsAt).used(countsAt, from, { left: 9 })',
    },
    {
      file: REPORTS,
      find: "import { PendingUsage } from './pending-usage.ts';",
      replace:
        "import { upsertAddresses } from './address-records.ts';\nimport { PendingUsage } from './pending-usage.ts';",
    },
  ]),
];
