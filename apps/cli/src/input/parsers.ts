import { parsePositiveInteger } from '@gatehouse/domain';
import { type AccountId, parseAccountId } from '@gatehouse/domain/accounts';
import type { AuditPosition, Moment } from '@gatehouse/domain/audit';
import { parseProviderId } from '@gatehouse/domain/identity-providers';
import { parseInvitationId } from '@gatehouse/domain/links';
import { type DeliveryId, parseReactionName } from '@gatehouse/domain/reactions';
import type { Catalog } from '@gatehouse/domain/resources';
import { parseCredentialId, parseServiceName, parseServiceScope } from '@gatehouse/domain/services';
import { parseKeyId } from '@gatehouse/domain/signing-keys';
import { endOfDay, longestDuration, parseDate, parseDuration, parseInstant } from '@gatehouse/domain/time';
import { addressOfUse, parseTokenId } from '@gatehouse/domain/tokens';
import { parseUserId, SERVICE_DOMAIN } from '@gatehouse/domain/users';
import { parseWebhookId } from '@gatehouse/domain/webhooks';
import * as kit from '@gatehouse/extension-kit/cli';
import { usageError } from '../errors/command-error.ts';
import { quote } from '../output/printable.ts';
import { ownerEmail } from './owner-email.ts';

/** Parses text, or throws a usage error that says what is expected. */
export function parsing<T>({ parse, expected }: kit.Parser<T>) {
  return (text: string): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    throw usageError(`${quote(text)} is not ${typeof expected === 'string' ? expected : expected(text)}.`);
  };
}

/**
 * Returns a kind of value: its name in the usage, and its parser. Arguments and options are described by adding to a
 * kind.
 */
function kindOf<const Name extends string, T>(
  value: Name,
  parse: kit.Parser<T>['parse'],
  expected: kit.Parser<T>['expected'],
) {
  return { value, parser: { parse, expected } as kit.Parser<T> };
}

const notEmpty = (text: string) => (text === '' ? undefined : text);

/**
 * Returns a function that says what is expected instead of a wrong text. If the text is a duration that is too long,
 * the function returns the longest duration.
 */
function durationOr(expected: string) {
  return (text: string): string => {
    const longest = longestDuration(text);
    return longest === undefined ? expected : `a duration of at most ${longest}`;
  };
}

export const TOKEN_ID = kindOf(
  'id',
  parseTokenId,
  "a token's id, such as 019a0000-0000-7000-8000-000000000000 in lower case; `gatehouse token list` shows them",
);

export const INVITATION_ID = kindOf(
  'id',
  parseInvitationId,
  "an invitation's id; `gatehouse invitation list` shows them",
);

export const WEBHOOK_ID = kindOf(
  'id',
  parseWebhookId,
  "a webhook's id, such as 3; `gatehouse webhook list` shows them",
);

/** Actions separated by commas. The use case knows which actions exist. */
export const WEBHOOK_ACTIONS = kindOf(
  'actions',
  (text): 'all' | readonly string[] | undefined => {
    const actions = text.split(',').map((each) => each.trim());
    if (text === 'all') return text;
    return actions.every((each) => each !== '') ? actions : undefined;
  },
  'the word all, or actions separated by commas, such as token.created,token.revoked',
);

export const KEY_ID = kindOf('id', parseKeyId, "a key's id; `gatehouse key list` shows them");

export const PROVIDER_ID = kindOf(
  'id',
  parseProviderId,
  "an identity provider's id, such as entra; `gatehouse provider list` shows them",
);

/** The origin at which browsers find the pages. */
export const PAGES_ORIGIN = kindOf(
  'url',
  (text) => (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text ? text : undefined),
  'an origin such as https://gatehouse.example, without a path',
);

export const ACCOUNT_ID = { value: 'id', parser: kit.ACCOUNT_ID } as const;

/** Ids separated by commas, without duplicates. */
function parseAccountIds(text: string): readonly AccountId[] | undefined {
  const ids = text.split(',').map((part) => parseAccountId(part.trim()));
  return ids.every((id) => id !== undefined) ? [...new Set(ids)] : undefined;
}

const IDS = 'ids of accounts separated by commas, such as 1,42; `gatehouse account list` shows them';

export const ACCOUNT_IDS = kindOf('ids', parseAccountIds, IDS);

/** The accounts to which a service is open. */
export const OPEN_TO = kindOf(
  'accounts',
  (text): 'all' | readonly AccountId[] | undefined => (text === 'all' ? text : parseAccountIds(text)),
  `the word all, or ${IDS}`,
);

export const SERVICE_NAME = kindOf(
  'service',
  parseServiceName,
  "a service's name, such as orders; `gatehouse service list` shows them",
);

export const SERVICE_SCOPE = kindOf(
  'scope',
  parseServiceScope,
  'the name of a service, a colon and a word of lower-case letters, such as orders:read',
);

export const CREDENTIAL_ID = kindOf(
  'id',
  parseCredentialId,
  "a credential's id, such as 019a0000-0000-7000-8000-000000000000 in lower case; `gatehouse service show SERVICE` shows them",
);

export const REACTION_NAME = kindOf(
  'name',
  parseReactionName,
  "a reaction's name, such as webhooks; `gatehouse reaction list` shows them",
);

export const DELIVERY_ID = kindOf(
  'id',
  parsePositiveInteger<DeliveryId>,
  `the id of an event of a reaction: ${kit.A_NUMBER}`,
);

/** How far a reaction is to be. */
export const REACTION_POSITION = kindOf(
  'position',
  (text): AuditPosition | 0 | 'now' | undefined =>
    text === 'now' ? text : text === 'start' ? 0 : parsePositiveInteger<AuditPosition>(text),
  'a position of the audit log, such as 4711, or one of the words now and start',
);

const plainIpAddress = (text: string) => (addressOfUse(text) === undefined ? undefined : text);

export const CIDR = kindOf('cidr', notEmpty, 'a network, such as 203.0.113.0/24');

export const IP_ADDRESS = kindOf('address', plainIpAddress, 'an IP address, such as 203.0.113.7');

export const ORGANIZATION_ID = { value: 'id', parser: kit.ORGANIZATION_ID } as const;

export const EMAIL = kindOf('email', notEmpty, 'an email address');

export const OWNER = kindOf(
  'owner',
  (text) => (text === '' ? undefined : ownerEmail(text)),
  "the email of an admin, or a service account's id",
);

const WITH_DOMAIN = new RegExp(`@${SERVICE_DOMAIN.replace('.', '[.]')}$`, 'u');

/** A service account: its id, or the text that stands for its address. */
export const SERVICE_ACCOUNT = kindOf(
  'id',
  (text) => parseUserId(text.replace(WITH_DOMAIN, '')),
  "a service account's id; `gatehouse service-account list` shows them",
);

/** The email of an admin. It must not be empty: a script with an empty variable in `--as` would act on all accounts. */
export const ACTOR = kindOf('email', notEmpty, 'the email of an admin, as in --as EMAIL');

export const NAME = kindOf('name', notEmpty, 'a name');

export const COUNT = kindOf('count', parsePositiveInteger, kit.A_NUMBER);

/** A duration, such as `90d`. Its value is a number of milliseconds. */
export const DURATION = kindOf(
  'duration',
  parseDuration,
  durationOr('a duration such as 90d: a whole number from 1 and one of s, m, h, d, w, y'),
);

const parseTime = (text: string) => parseDate(text) ?? parseInstant(text);

const A_TIME =
  'a date such as 2027-01-31, or a time in the years to 9999 as in RFC 3339, such as 2027-01-31T00:00:00Z';

/**
 * When something expires: a time, or the last day (UTC) on which it works, as on the pages. Only the years from 0000 to
 * 9999 are accepted, because RFC 3339 cannot express other years.
 */
export const EXPIRY = kindOf('time', (text) => endOfDay(text) ?? parseInstant(text), A_TIME);

export const MOMENT = kindOf(
  'when',
  (text): Moment | undefined => {
    const [ago, at] = [parseDuration(text), parseTime(text)];
    if (ago !== undefined) return { ago };
    return at === undefined ? undefined : { at };
  },
  durationOr(`how long ago, such as 2d, ${A_TIME}`),
);

/**
 * Returns the kind of value that is a scope of a token. Which scopes of services there are is known only with the
 * database, so any text that can be one is accepted.
 */
export function scopeOf({ scopes }: Catalog) {
  return kindOf(
    'scope',
    (text) => {
      const known: readonly string[] = scopes;
      const isOfService = parseServiceScope(text.replace(/:\*$/, ':every')) !== undefined;
      return known.includes(text) || isOfService ? text : undefined;
    },
    `a scope: it must be one of ${scopes.join(', ')}, or a scope of a service, such as orders:read`,
  );
}
