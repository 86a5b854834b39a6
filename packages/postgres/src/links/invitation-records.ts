import type { Invitation, LinkCodeHash } from '@gatehouse/domain/links';
import type { Instant } from '@gatehouse/domain/time';
import type { Queries } from '../database/schema.ts';
import { moment } from '../database/statements/conditions.ts';
import { bytesOf, isMadeByAdmin, isMailed } from './link-records.ts';

/** Selects invitations, with the admins who made them. */
export function selectInvitations(db: Queries) {
  return db
    .selectFrom('invitations')
    .leftJoin('users as maker', 'maker.id', 'invitations.invited_by')
    .select([
      'invitations.id',
      'invitations.account_id as accountId',
      'invitations.email',
      'invitations.name',
      'invitations.role',
      'invitations.created_at as createdAt',
      'invitations.expires_at as expiresAt',
      'invitations.invited_by',
      'maker.name as maker_name',
      'maker.email as maker_email',
      isMailed('invitations').as('isMailed'),
    ]);
}

/** Selects the invitations that have not expired at this time. */
export const selectOpenInvitations = (db: Queries, at: Instant) =>
  selectInvitations(db).where('invitations.expires_at', '>', moment(at));

/** Selects the invitations that are open and whose makers are still active admins. */
export const selectLiving = (db: Queries, at: Instant) =>
  selectOpenInvitations(db, at).where(isMadeByAdmin('invitations.invited_by', 'invitations.account_id'));

/** Selects the invitation with this code, if it is open and its maker is still an active admin. */
export const selectAcceptable = (db: Queries, hash: LinkCodeHash, at: Instant) =>
  selectLiving(db, at).where('invitations.code_hash', '=', bytesOf(hash));

type Row = Awaited<ReturnType<ReturnType<typeof selectOpenInvitations>['executeTakeFirstOrThrow']>>;

export function toInvitation({
  invited_by: id,
  maker_name: name,
  maker_email: email,
  ...row
}: Row): Invitation {
  const invitedBy =
    id === null || name === null || email === null ? null : Object.freeze({ id, name, email });
  return Object.freeze({ ...row, invitedBy });
}
