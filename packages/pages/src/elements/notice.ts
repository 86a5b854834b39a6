import { type Html, html } from '../html.ts';
import { icon } from './inline.ts';

/** The messages that a page shows after a redirect. A cookie tells that page the name of the message. */
const NOTICES = {
  webhook_changed: 'The webhook was changed.',
  webhook_deleted: 'The webhook was deleted.',
  webhook_disabled: 'The webhook was disabled. Messages that are waiting are dropped.',
  webhook_enabled: 'The webhook was enabled. Gatehouse sends new events again.',
  webhook_tested: 'A test was sent. Recent attempts shows the result.',
  account_renamed: 'The account was renamed.',
  rules_changed: 'The rules were changed. The expiry of tokens that exist did not change.',
  name_changed: 'Your name was changed.',
  notifications_changed: 'Your notifications were saved.',
  password_changed: 'Your password was changed. All your other sessions were ended.',
  second_factor_removed: 'Your second factor was removed. You sign in with your password alone.',
  second_factor_there: 'You have a second factor.',
  enrolment_outdated: 'Your session changed since you began. Begin again.',
  second_factor_policy_changed: 'The second factor of the account was changed.',
  recovery_codes_left_9:
    'You used a recovery code. 9 recovery codes are left. See Second factor in your profile for new ones.',
  recovery_codes_left_8:
    'You used a recovery code. 8 recovery codes are left. See Second factor in your profile for new ones.',
  recovery_codes_left_7:
    'You used a recovery code. 7 recovery codes are left. See Second factor in your profile for new ones.',
  recovery_codes_left_6:
    'You used a recovery code. 6 recovery codes are left. See Second factor in your profile for new ones.',
  recovery_codes_left_5:
    'You used a recovery code. 5 recovery codes are left. See Second factor in your profile for new ones.',
  recovery_codes_left_4:
    'You used a recovery code. 4 recovery codes are left. See Second factor in your profile for new ones.',
  recovery_codes_left_3:
    'You used a recovery code. 3 recovery codes are left. See Second factor in your profile for new ones.',
  recovery_codes_left_2:
    'You used a recovery code. 2 recovery codes are left. See Second factor in your profile for new ones.',
  recovery_codes_left_1:
    'You used a recovery code. 1 recovery code is left. See Second factor in your profile for new ones.',
  recovery_codes_left_0: 'You used your last recovery code. See Second factor in your profile for new ones.',
  account_ready: 'You joined the account. Sign in with your new password.',
  password_reset:
    'Your password was changed, and all your sessions were ended. Sign in with the new password.',
  invitation_revoked: 'The invitation was revoked. Its link no longer works.',
  invitation_not_found: 'The invitation was already accepted, revoked or had expired.',
  token_made_before:
    'This token was already created. A token is shown only once. If you did not copy it, revoke it and create another token.',
  token_changed: 'The token was changed.',
  networks_set: 'The networks of the token were set.',
  networks_removed: 'The networks were removed. The token may be used from everywhere.',
  token_revoked: 'The token was revoked. Requests with this token are refused from now on.',
  organization_created: 'The organization was created.',
  organization_changed: 'The organization was changed.',
  organization_deleted: 'The organization was deleted.',
  member_added: 'The member was added.',
  member_removed: 'The member was removed.',
  already_a_member: 'This user is already a member, so nothing was changed.',
  not_a_member: 'This user is no longer a member, so nothing was changed.',
  tokens_revoked: 'The tokens were revoked. Requests with these tokens are refused from now on.',
  identity_linked: 'The identity was linked. You can sign in with this identity provider.',
  identity_unlinked: 'The identity was unlinked, and the sessions that it opened were ended.',
  session_ended: 'The session was ended.',
  session_not_found: 'The session had already ended.',
  sessions_ended: 'All your other sessions were ended.',
  service_account_created: 'The service account was created. Create a token for it, or give it one.',
  service_account_changed: 'The service account was changed.',
  service_account_disabled: 'The service account was disabled.',
  service_account_enabled: 'The service account was enabled. Tokens that were revoked stay revoked.',
  token_given: 'The new owner has the token.',
  user_role_changed: 'The role was changed.',
  user_disabled: 'The user was disabled.',
  user_disabled_revoked: 'The user was disabled, and the API tokens of the user were revoked.',
  user_disabled_given: 'The user was disabled, and the new owner has the API tokens of the user.',
  user_enabled: 'The user was enabled. Tokens that were revoked stay revoked.',
  user_sessions_ended: 'All sessions of the user were ended.',
  signed_out: 'You are signed out.',
  session_renewing: 'Your session is being renewed. This page reloads automatically.',
} as const;

export type NoticeName = keyof typeof NOTICES;

/**
 * Renders the message with this name; null for an unknown name. Screen readers read the message when the page opens.
 */
export function noticeOf(name = ''): Html | null {
  if (!isNoticeName(name)) return null;
  return html`<div class="notice notice-good" role="status">${icon('check')}<p>${NOTICES[name]}</p></div>`;
}

const isNoticeName = (text: string): text is NoticeName => Object.hasOwn(NOTICES, text);

/** Renders a warning before an action, such as that programs would stop working. */
export function warning(content: Html | string): Html {
  return html`<div class="notice notice-warning">${icon('alert')}<div>${content}</div></div>`;
}

/** Renders an error message: why a request was not carried out. */
export function alert(content: Html | string): Html {
  return html`<div class="notice notice-bad" role="alert">${icon('alert')}<div>${content}</div></div>`;
}
