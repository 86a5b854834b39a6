import { checkName, err, ok, type Result } from '@gatehouse/domain';
import type { AccountId } from '@gatehouse/domain/accounts';
import { type ProviderId, parseProviderId, type RoleRules } from '@gatehouse/domain/identity-providers';
import { ROLES, type Role } from '@gatehouse/domain/users';
import { parseSafeAddress } from '@gatehouse/openid/safe-address';
import { type Field, listField, type Read, readFields, type Shape, textField } from './fields.ts';

const VISIBLE = /^[\x21-\x7e]{1,200}$/;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

const providerId: Read<ProviderId> = (value) => {
  const id = typeof value === 'string' ? parseProviderId(value) : undefined;
  return id === undefined
    ? err('must be a letter and up to 31 lower-case letters, digits and single hyphens, such as "entra"')
    : ok(id);
};

const accountId: Read<AccountId> = (value) =>
  Number.isSafeInteger(value) && Number(value) > 0
    ? ok(value as AccountId)
    : err('must be the id of an account, such as 1');

const role: Read<Role> = (value) => {
  const found = ROLES.find((each) => each === value);
  return found === undefined ? err(`must be one of ${ROLES.join(', ')}`) : ok(found);
};

const required = <T>(read: Read<T>): Field<T> => ({ read });
const optional = <T, const Absent>(read: Read<T>, absent: Absent): Field<T | Absent> => ({ read, absent });

const claimText = textField('a text of 1 to 500 characters', (text) => text.length > 0 && text.length <= 500);

const RULE = { value: required(claimText), role: required(role) };
const RULES = {
  claim: required(
    textField('the name of a claim, such as "groups"', (text) => VISIBLE.test(text) && text.length <= 100),
  ),
  rules: required(
    listField(
      'a list of at least one rule, such as {"value": "gatehouse-admins", "role": "admin"}, with each value once',
      1,
      (value) => readOne(RULE, value),
      (rule) => rule.value,
    ),
  ),
};

const roleRules: Read<RoleRules> = (value) => readOne(RULES, value);

/** Reads an object within a field. The error has all its problems in one line. */
function readOne<F extends Parameters<typeof readFields>[0]>(
  fields: F,
  value: unknown,
): Result<Shape<F>, string> {
  const read = readFields(fields, value);
  return read.ok ? read : err(`has problems: ${read.error.join(', ')}`);
}

/** The fields of a provider in the file. */
export const PROVIDER_FIELDS = {
  id: required(providerId),
  label: required(
    textField('the name on the sign-in page, of 1 to 60 characters', (text) => {
      return text.length <= 60 && checkName('label', text).ok;
    }),
  ),
  issuer: required(
    textField(
      'the address of the provider with https, exactly as in the claim iss, such as "https://login.example/tenant"',
      (text) => parseSafeAddress(text)?.search === '',
    ),
  ),
  clientId: required(
    textField('the id that the provider gave Gatehouse, of visible ASCII characters', (text) =>
      VISIBLE.test(text),
    ),
  ),
  clientSecretFile: optional(
    textField('the path of a file, relative to the folder of this one', (text) => text !== ''),
    undefined,
  ),
  accounts: required(listField('a list of ids of accounts, such as [1]', 1, accountId)),
  linkByEmailOf: optional(
    listField(
      'a list of domains in lower case, such as ["acme.example"]',
      0,
      textField('a domain', (text) => DOMAIN.test(text)),
    ),
    [],
  ),
  createUsersIn: optional(accountId, null),
  roles: optional(roleRules, null),
  scopes: optional(
    listField(
      'a list of scopes, such as ["openid", "email", "profile"]',
      1,
      textField('a scope', (text) => VISIBLE.test(text)),
    ),
    ['openid', 'email', 'profile'],
  ),
};

export type ProviderFields = Shape<typeof PROVIDER_FIELDS>;

/** Returns the problems of fields that contradict each other, although each is right by itself. */
export function contradictions({
  accounts,
  createUsersIn,
  roles,
  scopes,
}: ProviderFields): readonly string[] {
  const problems: string[] = [];
  if (createUsersIn !== null && !accounts.includes(createUsersIn))
    problems.push('createUsersIn must be one of accounts');
  if (createUsersIn !== null && roles === null)
    problems.push('createUsersIn needs roles, because a new user has no role yet');
  if (!scopes.includes('openid')) problems.push('scopes must contain "openid"');
  return problems;
}
