import type { ProviderId } from '@gatehouse/domain/identity-providers';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { TokenHolder } from '@gatehouse/domain/token-policy';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { Role, User, UserId } from '@gatehouse/domain/users';
import type { WebhookId } from '@gatehouse/domain/webhooks';

export const HOME = '/';
/** The page with the API reference. */
export const REFERENCE = '/docs';
export const SIGN_IN = '/sign-in';
/** Where a user enters the code of the second factor after the password. */
export const SIGN_IN_CODE = '/sign-in/code';
export const SIGN_OUT = '/sign-out';
/** Leads to the identity provider whose name follows. */
export const SIGN_IN_WITH = '/sign-in/with';
/** Where the provider whose name follows sends the browser back. */
export const SIGN_IN_RETURN = '/sign-in/return';
/** Where the provider whose name follows ends sessions. Its server calls this, not a browser. */
export const SIGN_IN_LOG_OUT = '/sign-in/log-out';
export const SETTINGS = '/settings';
export const API_TOKENS = '/settings/api';
export const NEW_TOKEN = '/settings/api/new';
export const CHECK_TOKEN = '/settings/api/check';
/** The page that checks a token, for a user whose address had a token in it. */
export const CHECK_TOKEN_OF_ADDRESS = '/settings/api/check?from=address';
export const USERS = '/settings/users';
/** The list of service accounts. Only admins see it. */
export const SERVICE_ACCOUNTS = '/settings/service-accounts';
export const NEW_SERVICE_ACCOUNT = '/settings/service-accounts/new';
export const ACTIVITY = '/settings/api/activity';
export const ACCOUNT = '/settings/account';
/** The rules of the account for its tokens. Only admins see them. */
export const TOKEN_RULES = '/settings/account/rules';
/** From whom the account demands a second factor. Only admins see it. */
export const SECOND_FACTOR_POLICY = '/settings/account/second-factor';
export const PROFILE = '/settings/profile';
export const ACTIVITY_EXPORT = '/settings/api/activity/export';
export const ORGANIZATIONS = '/settings/organizations';
export const NEW_ORGANIZATION = '/settings/organizations/new';
export const PASSWORD = '/settings/password';
/** The user's own second factor. Users from whom the account demands one see no other page before. */
export const SECOND_FACTOR = '/settings/second-factor';
/** Replaces the recovery codes. */
export const RECOVERY_CODES = `${SECOND_FACTOR}/recovery-codes`;
export const REMOVE_SECOND_FACTOR = `${SECOND_FACTOR}/remove`;
/** About what the user gets messages. */
export const NOTIFICATIONS = '/settings/notifications';
export const SESSIONS = '/settings/sessions';
/** How the user signs in: the password, and identities of providers. */
export const SIGN_IN_METHODS = '/settings/sign-in';

/** The list of open invitations. Only admins see it. */
export const INVITATIONS = '/settings/users/invitations';
export const NEW_INVITATION = '/settings/users/invitations/new';
/** Where an invited person sets a name and a password. The link has the code behind `#`. */
export const INVITATION = '/invitation';
/** Where someone asks for a link that sets a new password. */
export const FORGOT_PASSWORD = '/forgot-password';
/** Where a user sets a new password by a link, which has the code behind `#`. */
export const PASSWORD_RESET = '/password-reset';

/** The addresses to which events are sent. Only admins see them. */
export const WEBHOOKS = '/settings/webhooks';
export const NEW_WEBHOOK = `${WEBHOOKS}/new`;
export const webhookPath = (id: WebhookId): string => `${WEBHOOKS}/${id}`;
export const editWebhookPath = (id: WebhookId): string => `${webhookPath(id)}/edit`;
export const webhookSecretPath = (id: WebhookId): string => `${webhookPath(id)}/secret`;
export const deleteWebhookPath = (id: WebhookId): string => `${webhookPath(id)}/delete`;

/** The page that edits the rules for the tokens of this kind of holder. */
export const holderRulesPath = (holder: TokenHolder): string =>
  `${TOKEN_RULES}/${holder === 'person' ? 'people' : 'service-accounts'}`;
/**
 * Returns the page that opens after a sign-in, unless the visitor had opened another page before. A member has no page
 * of API tokens to work with.
 */
export const firstPageFor = (role: Role): string => (role === 'admin' ? API_TOKENS : ORGANIZATIONS);

/** Adds parameters to a path, except those that are undefined. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return written.length === 0 ? path : `${path}?${new URLSearchParams(written)}`;
}

/** The path of the sign-in page. After the sign-in, the browser is redirected to `next`. */
export const signInPath = (next: string): string => withQuery(SIGN_IN, { next });

export const signInWithPath = (id: ProviderId, next?: string): string =>
  withQuery(`${SIGN_IN_WITH}/${id}`, { next });
/** The path of the redirect URI that is registered at the provider. */
export const providerReturnPath = (id: ProviderId): string => `${SIGN_IN_RETURN}/${id}`;

export const tokenPath = (id: TokenId): string => `${API_TOKENS}/${id}`;
/** The path of a token's page, relative to the path of a list. Short links make a list of fifty rows smaller. */
export const tokenPathFrom = (place: string, id: TokenId): string =>
  tokenPath(id).slice(place.lastIndexOf('/') + 1);
/** The page that revokes the tokens whose ids are in its address. */
export const REVOKE_TOKENS = `${API_TOKENS}/revoke`;
export const firstUsePath = (id: TokenId): string => `${tokenPath(id)}/first-use`;
export const revokePath = (id: TokenId): string => `${tokenPath(id)}/revoke`;
export const networksPath = (id: TokenId): string => `${tokenPath(id)}/networks`;
export const rotatePath = (id: TokenId): string => `${tokenPath(id)}/rotate`;
export const userPath = (id: UserId): string => `${USERS}/${id}`;
export const serviceAccountPath = (id: UserId): string => `${SERVICE_ACCOUNTS}/${id}`;
export const editServiceAccountPath = (id: UserId): string => `${serviceAccountPath(id)}/edit`;
export const giveTokenPath = (id: TokenId): string => `${tokenPath(id)}/give`;
/** The page of a person or of a service account. */
export const pathOfUser = ({ id, kind }: Pick<User, 'id' | 'kind'>): string =>
  kind === 'service' ? serviceAccountPath(id) : userPath(id);
export const userRolePath = (id: UserId): string => `${userPath(id)}/role`;
export const disableUserPath = (id: UserId): string => `${userPath(id)}/disable`;
export const enableUserPath = (id: UserId): string => `${userPath(id)}/enable`;
export const organizationPath = (id: OrganizationId): string => `${ORGANIZATIONS}/${id}`;
export const deleteOrganizationPath = (id: OrganizationId): string => `${organizationPath(id)}/delete`;
export const resetLinkPath = (id: UserId): string => `${userPath(id)}/reset-link`;
