import { ok } from '@gatehouse/domain';
import { MAX_NETWORKS, networkTexts, type Token } from '@gatehouse/domain/tokens';
import type { CommandSet } from '../../described/description.ts';
import { defineChange, defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { CIDR, NAME } from '../../input/parsers.ts';
import { networksDocument, tokenNetworksView } from '../../views/token-networks-view.ts';

const ID_OR_NAME = { ...NAME, description: "The token's id, or its name" };
const AS = { description: 'The admin who changes the token', required: true } as const;

/** The option that names a network, also of `token create`. */
export const NETWORK = {
  ...CIDR,
  description: `A network or address from which the token may be used, such as 203.0.113.0/24 or 2001:db8::/32; repeat for several, at most ${MAX_NETWORKS}`,
  several: true,
} as const;

export const REPORT_ONLY = {
  description: 'Accept requests from elsewhere, and show what would be refused',
} as const;

export const modeOf = (reportOnly: true | undefined) => (reportOnly ? 'report-only' : 'enforced');

const networkShow = defineSteps({
  verb: 'show',
  summary: 'Show from which networks a token may be used, and from where it was used',
  arguments: { idOrName: ID_OR_NAME },
  as: { description: "Find only tokens of this admin's account" },
  notes: [
    'Proposes networks from the addresses of use that are stored: the last five, for 90 days. Behind a proxy that TRUST_PROXY does not name, these are addresses of the proxy.',
  ],
  examples: ['gatehouse token network show ERP'],
  prints: 'item',
  async steps(gatehouse, caller, { idOrName }, { printer }) {
    await printer.item(unwrap(await gatehouse.showTokenNetworks(caller, idOrName)), tokenNetworksView);
  },
});

const networkSet = defineChange({
  verb: 'set',
  summary: 'Set the networks from which an API token may be used',
  arguments: { idOrName: ID_OR_NAME },
  as: AS,
  options: {
    network: { ...NETWORK, required: true },
    reportOnly: REPORT_ONLY,
  },
  notes: [
    'Replaces the networks that the token has. Requests from elsewhere get status 403 within a second. Begin with --report-only, and look at `gatehouse token network show` before you enforce the networks. A rotation keeps them.',
  ],
  examples: [
    'gatehouse token network set ERP --as ada@acme.example --network 203.0.113.0/24 --report-only',
    'gatehouse token network set ERP --as ada@acme.example --network 203.0.113.0/24 --network 2001:db8::/32',
  ],
  async run(gatehouse, caller, { idOrName, network, reportOnly }) {
    const { id } = unwrap(await gatehouse.findTokenByReference(caller, idOrName));
    const networks = { mode: modeOf(reportOnly), list: network } as const;
    return gatehouse.setTokenNetworks(caller, { id, networks });
  },
  note: ({ before, after }) => changed(before, after),
  document: ({ after }) => networksDocument(after),
});

const networkClear = defineChange({
  verb: 'clear',
  summary: 'Remove the networks of an API token, so that it may be used from everywhere',
  arguments: { idOrName: ID_OR_NAME },
  as: AS,
  examples: ['gatehouse token network clear ERP --as ada@acme.example'],
  async run(gatehouse, caller, { idOrName }) {
    const { id } = unwrap(await gatehouse.findTokenByReference(caller, idOrName));
    return ok(unwrap(await gatehouse.setTokenNetworks(caller, { id, networks: null })));
  },
  note: ({ before, after }) => changed(before, after),
  document: ({ after }) => networksDocument(after),
});

function changed(before: Token, { id, name, networks }: Token): string {
  const token = `token "${name}" (${id})`;
  if (before.networks === networks)
    return `The networks of ${token} are the same as before; nothing was changed.`;
  if (networks === null) return `Removed the networks of ${token}: it may be used from everywhere.`;
  const list = networkTexts(networks).join(', ');
  return networks.mode === 'enforced'
    ? `Set the networks of ${token}: requests are refused unless they come from ${list}.`
    : `Set the networks of ${token}, report-only: requests from outside of ${list} are accepted and reported.`;
}

export const networkCommands: CommandSet = {
  name: 'network',
  summary: 'Limit API tokens to networks',
  commands: [networkShow, networkSet, networkClear],
};
