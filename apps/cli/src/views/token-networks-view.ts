import { networkTexts, type ShownTokenNetworks, type Token } from '@gatehouse/domain/tokens';
import { printable } from '../output/printable.ts';
import type { ItemView } from '../output/view.ts';
import { wrap } from '../output/wrap.ts';
import { addressDocument, addressTable } from './address-view.ts';
import { counted } from './count.ts';

/** The networks of a token in JSON. */
export const networksDocument = ({ id, name, networks }: Token) => ({
  id,
  name,
  ...modeAndNetworks(networks),
});

export const modeAndNetworks = (networks: Token['networks']) => ({
  networks_mode: networks?.mode ?? 'off',
  networks: networks === null ? [] : networkTexts(networks),
});

/** The networks of a token in a table. */
export const networksInWords = (networks: Token['networks']): string =>
  networks === null
    ? 'everywhere'
    : networkTexts(networks).join(' ') + (networks.mode === 'enforced' ? '' : ' (report-only)');

/** Shows from which networks a token may be used, from where it was used, and which networks that suggests. */
export const tokenNetworksView: ItemView<ShownTokenNetworks> = {
  document: ({ token, proposed, usedFrom, reported }) => ({
    ...networksDocument(token),
    proposed_networks: proposed.networks.map(({ network }) => network.cidr),
    used_from: usedFrom.map(addressDocument),
    reported_from: reported.map(addressDocument),
  }),
  columns: [
    { title: 'NAME', value: ({ token }) => token.name },
    { title: 'ID', value: ({ token }) => token.id },
    { title: 'MAY BE USED FROM', value: ({ token }) => networksInWords(token.networks) },
  ],
  below: (shown, table) => {
    const { token, usedFrom, reported } = shown;
    const tables = [
      addressTable('USED FROM', usedFrom, token.at, table),
      addressTable('WOULD BE REFUSED FROM', reported, token.at, table),
    ];
    return `${tables.join('')}${wrap(printable(proposal(shown)), table.width)}\n`;
  },
};

function proposal({ proposed: { networks, mayLackAddresses } }: ShownTokenNetworks): string {
  if (networks.length === 0) return 'No address of use is stored, so there are no networks to propose.';
  const list = networks.map(({ network }) => network.cidr).join(' ');
  const more = mayLackAddresses ? ' Only the last five addresses are stored, so there may be more.' : '';
  return `Used from ${counted(networks.length, 'network')} in 90 days: ${list}.${more}`;
}
