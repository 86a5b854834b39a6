import type { AuditEvent } from '@gatehouse/domain/audit';
import { type OrganizationId, parseOrganizationId } from '@gatehouse/domain/organizations';
import { parseTokenId } from '@gatehouse/domain/tokens';
import { parseUserId, type UserId } from '@gatehouse/domain/users';
import { isSearchable } from '../address.ts';
import { name } from '../elements/inline.ts';
import { type Html, html } from '../html.ts';
import { ACTIVITY, withQuery } from '../paths.ts';
import type { Kinds } from './kinds.ts';

/** The one resource whose changes are listed. */
export type Subject = AuditEvent['subject'];

const ID_MAX_LENGTH = 100;

/** The ids of other types, such as those of extensions, may be any text. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  organization: parseOrganizationId,
  user: parseUserId,
  token: parseTokenId,
};

/** Parses a subject in an address, such as `organization:42`. */
export function parseSubject(kinds: Kinds, text: string): Subject | undefined {
  const [, type = '', id = ''] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (!kinds.has(type) || !isSearchable(id, ID_MAX_LENGTH)) return undefined;
  const parse = PARSERS[type];
  return parse === undefined || parse(id) !== undefined ? { type, id } : undefined;
}

export const subjectText = ({ type, id }: Subject): string => `${type}:${id}`;

/** The path of the page with the changes to this organization or user. */
export const activityOf = (type: 'organization' | 'user', id: OrganizationId | UserId): string =>
  withQuery(ACTIVITY, { subject: subjectText({ type, id: String(id) }) });

/** Says which one resource the list is about. @param all the path of the list without this filter */
export const subjectNote = ({ type, id }: Subject, all: string): Html =>
  html`<p>Only changes to the ${type.replaceAll('_', ' ')} ${name(id)} are listed. <a href="${all}">Remove this filter</a></p>`;
