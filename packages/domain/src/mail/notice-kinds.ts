import type { BuiltInAction } from '../resources/built-in.ts';

/** The kinds of messages that a user can turn off. */
export const OPTIONAL_NOTICES = ['tokens', 'account'] as const;

export type OptionalNotice = (typeof OPTIONAL_NOTICES)[number];

/** `security`: about the user's own sign-in. No one can turn these off, so that they do not hide an attack. */
export type NoticeKind = OptionalNotice | 'security';

/**
 * Who is told. `holder`: the owner of a token; for a service account the person who answers for it, or else the admins.
 * `subject`: the user whom the event is about. `admins`: the admins of the account.
 */
export type Audience = 'holder' | 'subject' | 'admins';

export interface NoticeRule {
  readonly kind: NoticeKind;
  readonly to: Audience;
}

const OF_TOKEN = { kind: 'tokens', to: 'holder' } as const;
const OF_ACCOUNT = { kind: 'account', to: 'admins' } as const;
const OF_PERSON = { kind: 'security', to: 'subject' } as const;

/** The events about which people get messages. */
export const NOTICE_RULES = {
  'token.expires_soon': OF_TOKEN,
  'token.expired_in_use': OF_TOKEN,
  'token.unused': OF_TOKEN,
  'token.used_from_new_network': OF_TOKEN,
  'token.revoked': OF_TOKEN,
  'token.transferred': OF_TOKEN,
  'policy.exceeded': OF_ACCOUNT,
  'webhook.disabled': OF_ACCOUNT,
  'user.password_set': OF_PERSON,
  'user.password_reset': OF_PERSON,
  'user.reset_link_created': OF_PERSON,
  'user.role_set': OF_PERSON,
  'user.linked': OF_PERSON,
  'user.unlinked': OF_PERSON,
  'user.second_factor_enrolled': OF_PERSON,
  'user.second_factor_removed': OF_PERSON,
  'user.second_factor_reset': OF_PERSON,
  'user.second_factor_paused': OF_PERSON,
  'user.recovery_codes_made': OF_PERSON,
  'user.recovery_code_used': OF_PERSON,
} as const satisfies Partial<Record<BuiltInAction, NoticeRule>>;

export type NoticeAction = keyof typeof NOTICE_RULES;

/** Returns who gets messages about events with this action; undefined if no one does. */
export function noticeRule(action: string): NoticeRule | undefined {
  return Object.hasOwn(NOTICE_RULES, action) ? NOTICE_RULES[action as NoticeAction] : undefined;
}
