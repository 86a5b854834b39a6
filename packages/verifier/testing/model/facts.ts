/** A token and its owner have a version each. A user of an answer could see nothing else of the records. */
export interface Facts {
  readonly tokens: readonly { readonly version: number; readonly owner: number }[];
  readonly users: readonly number[];
}

export interface Change {
  readonly kind: 'token' | 'user';
  readonly id: number;
  /** The token gets another owner. */
  readonly transfer?: boolean;
}

export const TOKENS = 2;
const USERS = 2;

/** Both tokens were issued to user 0, who is their subject for ever. The second one was given to user 1. */
export const SUBJECT = 0;
export const START: Facts = {
  tokens: Array.from({ length: TOKENS }, (_, owner) => ({ version: 0, owner })),
  users: Array.from({ length: USERS }, () => 0),
};

export const CHANGES: readonly Change[] = [
  { kind: 'token', id: 0 },
  { kind: 'token', id: 1 },
  { kind: 'user', id: 0 },
  { kind: 'user', id: 1 },
  { kind: 'token', id: 0, transfer: true },
];

export const handleOf = ({ kind, id }: Change): string => `${kind}:${id}`;

export function changed(facts: Facts, { kind, id, transfer }: Change): Facts {
  if (kind === 'user') return { ...facts, users: facts.users.map((v, at) => (at === id ? v + 1 : v)) };
  const tokens = facts.tokens.map((each, at) =>
    at === id ? { version: each.version + 1, owner: transfer ? 1 - each.owner : each.owner } : each,
  );
  return { ...facts, tokens };
}

/** The answer about a token. Any change of the token or of its owner changes it. */
export function stateOf({ tokens, users }: Facts, token: number): string {
  const { version, owner } = tokens[token] as Facts['tokens'][number];
  return `${version}/${owner}/${users[owner]}`;
}
