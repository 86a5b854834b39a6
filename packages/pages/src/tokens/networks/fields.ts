import { MAX_NETWORKS, NETWORK_MODES, type NetworkMode, type NetworksInput } from '@gatehouse/domain/tokens';

/** The field for the networks of a token, also of the form that makes a token. */
export const NETWORKS = {
  label: 'Networks',
  subject: 'The list',
  type: 'multiline',
  hint: `One network or address in each line, such as 203.0.113.0/24 or 2001:db8::/32. At most ${MAX_NETWORKS}.`,
} as const;

const MODES: Readonly<Record<NetworkMode, string>> = {
  'report-only': 'Only report requests from elsewhere',
  enforced: 'Refuse requests from elsewhere',
};

export const MODE = { label: 'Effect of the networks', type: 'select', options: MODES } as const;

/** Reads the networks that the form sent; undefined for a mode that it does not offer. */
export function networksOf(text: string, mode: string): NetworksInput | undefined {
  const known = NETWORK_MODES.find((each) => each === mode);
  return known && { mode: known, list: text.split(/[\s,]+/) };
}

export const OLDER_EDITION =
  'A server or a command of an older version is connected to the database. It would accept the token from everywhere, so no networks were set. Try again after all servers were upgraded.';
