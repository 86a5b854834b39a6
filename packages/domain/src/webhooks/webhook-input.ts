import type { AuditAction } from '../audit/audit-event.ts';
import type { Ports } from '../ports.ts';
import { err, type InvalidInput, invalid, ok, type Result } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import type { WantedActions } from './webhook.ts';
import type { WebhookChanges } from './webhook-repository.ts';

/** The longest address of a receiver, in characters. */
const MAX_URL = 2000;

/** The facts that an admin or operator gives about a webhook. */
export interface WebhookInput {
  readonly url: string;
  /** Empty for none. */
  readonly description: string;
  readonly actions: 'all' | readonly string[];
  readonly includesAddresses: boolean;
}

/** The facts to change about a webhook. */
export type WebhookUpdate = { readonly [Name in keyof WebhookInput]?: WebhookInput[Name] | undefined };

type InputPorts = Ports<'catalog' | 'webhookSender'>;

/** Validates the input for a new webhook. */
export function parseNewWebhook(
  ports: InputPorts,
  input: WebhookInput,
): Result<Required<WebhookChanges>, InvalidInput> {
  const url = parseUrl(ports, input.url);
  const description = parseDescription(input.description);
  const actions = parseActions(ports, input.actions);
  if (url.ok && description.ok && actions.ok) {
    const { includesAddresses } = input;
    return ok({ url: url.value, description: description.value, actions: actions.value, includesAddresses });
  }
  return err({ code: 'invalid_input', problems: problemsOf([url, description, actions]) });
}

/** Validates the parts of the input that are given. */
export function parseWebhookChanges(
  ports: InputPorts,
  { url, description, actions, includesAddresses }: WebhookUpdate,
): Result<WebhookChanges, InvalidInput> {
  const parts: readonly Result<WebhookChanges, InvalidInput>[] = [
    url === undefined ? ok({}) : named('url', parseUrl(ports, url)),
    description === undefined ? ok({}) : named('description', parseDescription(description)),
    actions === undefined ? ok({}) : named('actions', parseActions(ports, actions)),
    ok(includesAddresses === undefined ? {} : { includesAddresses }),
  ];
  const problems = problemsOf(parts);
  if (problems.length > 0) return err({ code: 'invalid_input', problems });
  return ok(Object.assign({}, ...parts.map((each) => (each.ok ? each.value : {}))));
}

const named = <T>(name: keyof WebhookChanges, parsed: Result<T, InvalidInput>) =>
  parsed.ok ? ok({ [name]: parsed.value }) : parsed;

const problemsOf = (parts: readonly Result<unknown, InvalidInput>[]) =>
  parts.flatMap((each) => (each.ok ? [] : each.error.problems));

function parseUrl({ webhookSender }: Pick<InputPorts, 'webhookSender'>, text: string) {
  const checked = checkText('url', text, MAX_URL);
  if (!checked.ok) return checked;
  const address = webhookSender.checkAddress(text);
  if (!address.ok) return invalid('url', address.error);
  // The normal spelling can be longer: it encodes each letter that is not of ASCII.
  return checkText('url', address.value.url, MAX_URL);
}

function parseDescription(text: string): Result<string, InvalidInput> {
  const trimmed = text.trim();
  return trimmed === '' ? ok('') : checkName('description', trimmed);
}

/** Sorts the actions, so that equal choices are equal. */
function parseActions(
  { catalog }: Pick<InputPorts, 'catalog'>,
  actions: WebhookInput['actions'],
): Result<WantedActions, InvalidInput> {
  if (actions === 'all') return ok('all');
  const known = (action: string): action is AuditAction => catalog.actions.some((each) => each === action);
  const chosen = [...new Set(actions)];
  const unknown = chosen.filter((action) => !known(action));
  if (unknown.length > 0) return invalid('actions', `must not contain ${unknown.join(', ').slice(0, 200)}`);
  return chosen.length === 0
    ? invalid('actions', 'must name at least one')
    : ok(chosen.filter(known).toSorted());
}
