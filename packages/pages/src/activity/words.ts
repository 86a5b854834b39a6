import type { ToldEntry } from '@gatehouse/domain/audit';
import type { BuiltInAction, Catalog } from '@gatehouse/domain/resources';
import { parseTokenId, type TokenId } from '@gatehouse/domain/tokens';
import { name } from '../elements/inline.ts';
import { type Html, html } from '../html.ts';
import { ACTIVITY, tokenPathFrom } from '../paths.ts';

type Event = ToldEntry['event'];

/**
 * The words for each action, as the end of a sentence that begins with a name. The compiler reports a built-in action
 * without words.
 */
const WORDS: Readonly<Record<BuiltInAction, (event: Event) => Html>> = {
  'account.created': (event) => html`created the account ${called(event)}`,
  'account.renamed': (event) => html`renamed the account to ${called(event)}`,
  'account.suspended': (event) => html`suspended the account ${called(event)}`,
  'account.resumed': (event) => html`resumed the account ${called(event)}`,
  'account.second_factor_set': (event) =>
    text(event, 'second_factor') === 'admins'
      ? html`demanded a second factor from admins`
      : html`stopped demanding a second factor`,
  'account.policy_set': () => html`changed the rules of the account for tokens`,
  'floor.set': () => html`changed the limits for the tokens of all accounts`,
  'user.created': (event) =>
    text(event, 'kind') === 'service'
      ? html`created the service account ${called(event)}`
      : html`added the ${text(event, 'role') ?? 'user'} ${called(event)}`,
  'user.renamed': (event) => html`changed their name to ${name(text(event, 'name') ?? '')}`,
  'user.service_updated': serviceUpdated,
  'user.disabled': (event) => html`disabled ${called(event)}`,
  'user.enabled': (event) => html`enabled ${called(event)}`,
  'user.role_set': (event) =>
    html`made ${called(event)} ${text(event, 'to') === 'admin' ? 'an admin' : 'a member'}`,
  'user.password_set': (event) =>
    isOfSubject(event) ? html`changed their password` : html`set the password of ${called(event)}`,
  'user.reset_link_created': (event) => html`created a password reset link for ${called(event)}`,
  'user.password_reset': (event) => html`reset the password of ${called(event)} with a link`,
  'user.linked': (event) => html`linked an identity of ${providerOf(event)} to ${called(event)}`,
  'user.unlinked': (event) => html`unlinked an identity of ${called(event)}`,
  'user.link_refused': (event) =>
    html`refused the sign-in of a person at ${providerOf(event)} as ${called(event)}`,
  'user.demotion_refused': (event) => html`kept ${called(event)} as the last admin of the account`,
  'user.armed': (event) => html`opened the password of ${called(event)} for a while`,
  'user.disarmed': (event) => html`closed the password of ${called(event)}`,
  'user.break_glass_marked': (event) => html`marked ${called(event)} for emergencies`,
  'user.break_glass_unmarked': (event) => html`no longer keeps ${called(event)} for emergencies`,
  'user.email_proved': (event) => html`confirmed the address ${called(event)}`,
  'user.second_factor_enrolled': () => html`set up a second factor`,
  'user.second_factor_removed': () => html`removed their second factor`,
  'user.second_factor_reset': (event) => html`reset the second factor of ${called(event)}`,
  'user.recovery_codes_made': () => html`created new recovery codes`,
  'user.recovery_code_used': () => html`used a recovery code`,
  'user.reset_requested': (event) => html`got a request for a password reset link for ${called(event)}`,
  'user.notices_set': () => html`changed their notifications`,
  'user.second_factor_paused': () => html`entered too many wrong codes after the right password`,
  'invitation.created': (event) => html`invited ${called(event)} as ${text(event, 'role') ?? 'member'}`,
  'invitation.accepted': (event) => html`accepted the invitation of ${called(event)}`,
  'invitation.revoked': (event) => html`revoked the invitation of ${called(event)}`,
  'organization.created': (event) => html`created the organization ${called(event)}`,
  'organization.updated': (event) =>
    isRenamed(event)
      ? html`renamed the organization ${formerOf(event)} to ${called(event)}`
      : html`changed the organization ${called(event)}`,
  'organization.deleted': (event) => html`deleted the organization ${called(event)}`,
  'organization.member_added': (event) => html`added ${called(event)} to ${organization(event)}`,
  'organization.member_removed': (event) => html`removed ${called(event)} from ${organization(event)}`,
  'token.created': (event) =>
    text(event, 'kind') === 'sign-in' ? html`signed in through the API` : html`created ${token(event)}`,
  'token.updated': updated,
  'token.networks_set': networksSet,
  'token.revoked': (event) => html`revoked ${token(event)}`,
  'token.transferred': (event) => html`gave ${token(event)} to another owner${renamed(event)}`,
  'token.rotated': (event) => html`rotated ${token(event)}${successor(event)}`,
  'token.replaced': (event) => html`replaced ${token(event)} when it was first used`,
  'token.pruned': () => html`deleted the ended token of a sign-in`,
  'token.expires_soon': (event) => html`noticed that ${token(event)} expires ${inDays(event.details.days)}`,
  'token.expired_in_use': (event) =>
    event.details.refused === true
      ? html`noticed that programs still send ${token(event)}, which expired`
      : html`noticed that ${token(event)} expired while programs used it`,
  'token.unused': (event) => html`noticed that nothing used ${token(event)} for 90 days`,
  'token.used_from_new_network': (event) => html`was used from the new network ${text(event, 'network')}`,
  'policy.exceeded': (event) => html`noticed that ${tokensOver(event)} the rules of the account`,
  'webhook.created': (event) => html`created the webhook ${called(event)}`,
  'webhook.updated': (event) => html`changed the webhook ${called(event)}`,
  'webhook.deleted': (event) => html`deleted the webhook ${called(event)}`,
  'webhook.secret_rotated': (event) => html`created a new secret for the webhook ${called(event)}`,
  'webhook.enabled': (event) => html`enabled the webhook ${called(event)}`,
  'webhook.disabled': (event) => html`disabled the webhook ${called(event)}`,
  'reaction.retried': (event) => html`tried an event of the reaction ${event.subject.id} again`,
  'reaction.skipped': (event) => html`skipped an event of the reaction ${event.subject.id}`,
  'reaction.moved': (event) => html`moved the reaction ${event.subject.id}`,
  'reaction.removed': (event) => html`removed the reaction ${event.subject.id}`,
  'service.created': (event) => html`created the service ${event.subject.id}`,
  'service.updated': (event) => html`changed the service ${event.subject.id}`,
  'service.deleted': (event) => html`deleted the service ${event.subject.id}`,
  'service.scope_added': (event) => html`added the scope ${scopeOf(event)}`,
  'service.scope_removed': (event) => html`removed the scope ${scopeOf(event)}`,
  'service.credential_created': (event) => html`created a credential of the service ${event.subject.id}`,
  'service.credential_rotated': (event) => html`rotated a credential of the service ${event.subject.id}`,
  'service.credential_revoked': (event) => html`revoked a credential of the service ${event.subject.id}`,
  'session.created': () => html`signed in`,
  'session.ended': () => html`ended a session`,
  'key.created': (event) => html`created the signing key ${event.subject.id}`,
  'key.activated': (event) => html`activated the signing key ${event.subject.id}`,
  'key.retired': (event) => html`retired the signing key ${event.subject.id}`,
  'key.due': (event) => html`noticed that the signing key ${event.subject.id} is due for rotation`,
  'extension.dropped': (event) => html`dropped the tables of the extension ${event.subject.id}`,
  'audit.pruned': () => html`deleted exported audit events`,
  'key.rewrapped': (event) => html`encrypted the signing key ${event.subject.id} with a new master key`,
};

/**
 * Says who did what, such as `ada@acme.example revoked ERP`. The sentence has a link to the token, and the reason if
 * one was given.
 */
export const sentenceOf =
  (catalog: Catalog) =>
  (entry: ToldEntry): Html => {
    const { event } = entry;
    const reason = text(event, 'reason');
    return html`${doerOf(entry)} <span class="deed">${deedOf(catalog, event)}${
      reason === undefined ? null : html`<small>Reason: ${name(reason)}</small>`
    }</span>`;
  };

function deedOf({ actionWords }: Catalog, event: Event): Html {
  const { action } = event;
  return isBuiltIn(action) ? WORDS[action](event) : html`${actionWords(action) ?? action} ${called(event)}`;
}

function isBuiltIn(action: string): action is BuiltInAction {
  return Object.hasOwn(WORDS, action);
}

/**
 * Names who acted: a user by the current email, an operator without a name, or a token. A token acts when its first use
 * ends the token that it replaces, and when it is used from a new network.
 */
function doerOf({ event, actorEmail }: ToldEntry): Html {
  const { actor } = event;
  switch (actor.kind) {
    case 'operator':
      return actor.for === undefined
        ? html`An operator`
        : html`An operator for ${name(actorEmail ?? `user ${actor.for}`)}`;
    case 'token':
      return event.action === 'token.used_from_new_network'
        ? html`The token ${linkOf(event)}`
        : html`<a href="${tokenPathFrom(ACTIVITY, actor.id)}">The new token</a>`;
    case 'system':
      return html`Gatehouse`;
    case 'user':
      return name(actorEmail ?? `user ${actor.id}`);
  }
}

function serviceUpdated(event: Event): Html {
  const shown = name(text(event, 'name') ?? event.subject.id);
  const responsible = text(event, 'responsible');
  if (responsible !== undefined)
    return html`made ${name(responsible)} responsible for the service account ${shown}`;
  return isRenamed(event)
    ? html`renamed the service account ${formerOf(event)} to ${shown}`
    : html`changed the service account ${shown}`;
}

function updated(event: Event): Html {
  if ('expires_at' in event.details) return html`set an earlier expiry for ${token(event)}${renamed(event)}`;
  if (isRenamed(event)) return html`renamed the token ${formerOf(event)} to ${linkOf(event)}`;
  return html`changed the description of ${token(event)}`;
}

function networksSet(event: Event): Html {
  const mode = text(event, 'networks_mode');
  if (mode === 'off') return html`removed the networks of ${token(event)}`;
  const how = mode === 'enforced' ? 'limited' : 'set report-only networks of';
  const to = mode === 'enforced' ? ' to ' : ': ';
  return html`${how} ${token(event)}${to}${networksOf(event)}`;
}

/** Events that others recorded may have no number of days. */
const inDays = (days: unknown) =>
  typeof days === 'number' ? `in ${days === 1 ? '1 day' : `${days} days`}` : 'soon';

/** Tokens are counted up to 1000. */
function tokensOver({ details: { tokens } }: Event): string {
  if (typeof tokens !== 'number') return 'tokens break';
  if (tokens === 1) return '1 token breaks';
  return tokens >= 1000 ? '1000 or more tokens break' : `${tokens} tokens break`;
}

function networksOf({ details }: Event): string {
  const networks = details.networks;
  return Array.isArray(networks) ? networks.join(', ') : '';
}

/** Whether the event has another name than before. Some forms send the name also if it stays the same. */
function isRenamed(event: Event): boolean {
  const former = text(event, 'former_name');
  return former !== undefined && former !== text(event, 'name');
}

const formerOf = (event: Event) => name(text(event, 'former_name') ?? event.subject.id);

function renamed(event: Event): Html | null {
  return isRenamed(event) ? html`, formerly ${formerOf(event)}` : null;
}

const token = (event: Event) => html`the token ${linkOf(event)}`;

/** The name of the token, as a link to its page. */
function linkOf(event: Event): Html {
  const id = parseTokenId(event.subject.id);
  const shown = name(text(event, 'name') ?? event.subject.id);
  return id === undefined ? shown : html`<a href="${tokenPathFrom(ACTIVITY, id)}">${shown}</a>`;
}

function successor(event: Event): Html | null {
  const id = successorOf(event);
  return id === undefined
    ? null
    : html` <small><a href="${tokenPathFrom(ACTIVITY, id)}">New token</a></small>`;
}

/** Returns the token that a rotation made; undefined for another event. */
function successorOf(event: Event): TokenId | undefined {
  return event.action === 'token.rotated' ? parseTokenId(text(event, 'successor_id') ?? '') : undefined;
}

/** Leaves out the event of a token's creation if the list also has the rotation that created the token. */
export function withoutSuccessors(entries: readonly ToldEntry[]): readonly ToldEntry[] {
  const successors = new Set<string | undefined>(entries.map(({ event }) => successorOf(event)));
  return entries.filter(
    ({ event: { action, subject } }) => action !== 'token.created' || !successors.has(subject.id),
  );
}

/** A service account is called by its name, because its address says nothing. */
const called = (event: Event) => {
  const first = text(event, 'kind') === 'service' ? 'name' : 'email';
  return name(text(event, first) ?? text(event, 'email') ?? text(event, 'name') ?? event.subject.id);
};

/** The organization of a member. Events of earlier versions do not have its name. */
function organization(event: Event): Html {
  const named = text(event, 'name');
  return named === undefined ? html`organization ${event.subject.id}` : html`the organization ${name(named)}`;
}

const scopeOf = (event: Event) => html`<code>${text(event, 'scope') ?? event.subject.id}</code>`;

const providerOf = (event: Event) => text(event, 'provider') ?? 'an identity provider';

function isOfSubject({ actor, subject }: Event): boolean {
  return actor.kind === 'user' && String(actor.id) === subject.id;
}

function text({ details }: Event, field: string): string | undefined {
  const value = details[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
