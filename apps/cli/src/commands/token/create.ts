import { MAX_DESCRIPTION_LENGTH } from '@gatehouse/domain/tokens';
import type { Resources } from '../../described/description.ts';
import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { SERVICE_ACCOUNT, scopeOf } from '../../input/parsers.ts';
import { FORMAT, UNITS } from '../shared-options.ts';
import { endOf, expiryOptions } from './expiry.ts';
import { handOver, OUT } from './hand-over.ts';
import { modeOf, NETWORK, REPORT_ONLY } from './networks.ts';

const DEFAULT_EXPIRY =
  'This is the default of the account; --expires-in and --never-expires choose another expiry.';

export const tokenCreate = ({ catalog }: Resources) =>
  defineSteps({
    verb: 'create',
    summary: 'Create an API token and print it; it is not shown again',
    as: { description: 'The admin who creates the token, and owns it without --for', required: true },
    options: {
      for: {
        ...SERVICE_ACCOUNT,
        description: 'The service account that owns the token, by its id (default: the admin)',
      },
      name: {
        value: 'name',
        description:
          "A name, such as that of the program that will use the token; unique among the owner's active tokens",
        required: true,
      },
      description: {
        value: 'text',
        description: `What the token is for, at most ${MAX_DESCRIPTION_LENGTH} characters`,
      },
      ...expiryOptions({
        in: `Lifetime, such as 90d; ${UNITS} (default: the default lifetime of the account)`,
        at: 'Expire after this day (UTC), such as 2027-01-31, or at this time, such as 2027-01-31T09:00:00Z (RFC 3339)',
      }),
      neverExpires: {
        description: 'Create a token that never expires',
        conflicts: ['expiresIn', 'expiresAt'],
      },
      scope: {
        ...scopeOf(catalog),
        description: `What the token may do: ${catalog.scopes.join(', ')}, or a scope of a service, such as orders:read, or orders:* for all its scopes; repeat for several scopes (default: *, all of the owner's rights in the API of Gatehouse, and none at services)`,
        several: true,
      },
      network: { ...NETWORK, description: `${NETWORK.description} (default: everywhere)` },
      reportOnly: REPORT_ONLY,
      format: FORMAT,
      out: OUT,
    },
    examples: [
      'gatehouse token create --as ada@acme.example --name ERP --expires-in 90d',
      'gatehouse token create --as ada@acme.example --for 12 --name ERP --expires-in 90d',
      'gatehouse token create --as ada@acme.example --name Wiki --scope orgs:read --out wiki.token',
    ],
    check: ({ network, reportOnly }) =>
      reportOnly && network === undefined ? 'Add --network: --report-only is about networks.' : undefined,
    needs: () => ({ signs: true }),
    prints: 'change',
    async steps(
      gatehouse,
      caller,
      { for: owner, name, description, scope = ['*'], network, reportOnly, out, ...given },
      tools,
    ) {
      const format = given.format ?? (await tools.cli.defaultFormat());
      // Creates the signing keys if there are none: in a new database, they are missing until a server starts for the
      // first time.
      unwrap(await gatehouse.ensureKeys(tools.cli.operator));
      const isByDefault = !given.neverExpires && endOf(given) === undefined;
      await handOver(
        { ...tools, gatehouse, caller, out },
        () =>
          gatehouse.issueToken(caller, {
            owner,
            name,
            description,
            format,
            scopes: scope,
            expiry: given.neverExpires ? 'never' : endOf(given),
            networks: network && { mode: modeOf(reportOnly), list: network },
          }),
        ({ record }) => (isByDefault && record.expiresAt !== null ? DEFAULT_EXPIRY : ''),
      );
    },
  });
